/** Aggregation of usage over regions into verdicts: pure, without I/O and without a clock. */
@NullMarked
package io.meridian.sync.aggregate;

import org.jspecify.annotations.NullMarked;
