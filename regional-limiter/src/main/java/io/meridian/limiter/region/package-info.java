/** The region as one instance sees it: ports to its counters, accounts and records, its clock, and the other ports of decisions. */
@NullMarked
package io.meridian.limiter.region;

import org.jspecify.annotations.NullMarked;
