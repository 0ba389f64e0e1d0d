/** What {@code ./meridian drill} and {@code ./meridian simulate} run. */
@NullMarked
package io.meridian.chaos.cli;

import org.jspecify.annotations.NullMarked;
