/** Histories as drills leave them, made up. */
@NullMarked
package io.meridian.chaos.drill.sample;

import org.jspecify.annotations.NullMarked;
