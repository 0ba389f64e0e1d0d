/** Leases of one instance on its region: held, given back, revoked by verdicts, and lost with an incarnation of the region. */
@NullMarked
package io.meridian.limiter.lease;

import org.jspecify.annotations.NullMarked;
