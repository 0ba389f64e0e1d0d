/** Who leads, for whoever asks. */
@NullMarked
package io.meridian.sync.api;

import org.jspecify.annotations.NullMarked;
