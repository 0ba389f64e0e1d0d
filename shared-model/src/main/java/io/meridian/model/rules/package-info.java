/** Entries of the rules besides policies: tiers and their clients, overrides, allow and deny list. */
@NullMarked
package io.meridian.model.rules;

import org.jspecify.annotations.NullMarked;
