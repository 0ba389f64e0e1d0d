/** Sync service: its settings, start, stop and readiness. */
@NullMarked
package io.meridian.sync;

import org.jspecify.annotations.NullMarked;
