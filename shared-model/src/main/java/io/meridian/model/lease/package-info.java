/** Leases: what an instance spends without a request to its region. */
@NullMarked
package io.meridian.model.lease;

import org.jspecify.annotations.NullMarked;
