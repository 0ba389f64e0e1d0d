/** What the leader of a partition makes of usage: totals, flags and grants. */
@NullMarked
package io.meridian.sync.aggregate;

import org.jspecify.annotations.NullMarked;

