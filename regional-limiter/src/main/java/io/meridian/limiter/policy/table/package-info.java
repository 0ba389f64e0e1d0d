/** Tables of a million clients: immutable, packed, looked up in flat time. */
@NullMarked
package io.meridian.limiter.policy.table;

import org.jspecify.annotations.NullMarked;
