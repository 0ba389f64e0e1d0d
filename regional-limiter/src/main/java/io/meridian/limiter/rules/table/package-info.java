/** Tables of a million clients: immutable, packed, looked up in flat time. */
@NullMarked
package io.meridian.limiter.rules.table;

import org.jspecify.annotations.NullMarked;
