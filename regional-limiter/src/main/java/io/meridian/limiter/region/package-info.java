/** Ports from an instance to its region and its surroundings: counters, accounts, records, clock, leader contact and fallback. */
@NullMarked
package io.meridian.limiter.region;

import org.jspecify.annotations.NullMarked;
