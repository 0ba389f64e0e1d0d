/** Subcommands of {@code ./meridian drill}, and {@code ./meridian bench global}. */
@NullMarked
package io.meridian.drill.cli;

import org.jspecify.annotations.NullMarked;
