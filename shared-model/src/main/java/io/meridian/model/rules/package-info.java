/** What a rulebook is made of besides the policies: tiers and who is in them, overrides, allow and deny list. */
@NullMarked
package io.meridian.model.rules;

import org.jspecify.annotations.NullMarked;
