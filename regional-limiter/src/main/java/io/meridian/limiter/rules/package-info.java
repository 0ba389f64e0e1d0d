/** Rules in effect in this region (policies, tiers, overrides, lists), compiled for checks and replaced as a whole. */
@NullMarked
package io.meridian.limiter.rules;

import org.jspecify.annotations.NullMarked;
