/** The policies, tiers, overrides and lists of this region, and where they come from. */
@NullMarked
package io.meridian.limiter.rules;

import org.jspecify.annotations.NullMarked;
