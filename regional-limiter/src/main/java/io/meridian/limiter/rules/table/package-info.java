/** Immutable packed tables of millions of client identifiers with constant-time lookup. */
@NullMarked
package io.meridian.limiter.rules.table;

import org.jspecify.annotations.NullMarked;
