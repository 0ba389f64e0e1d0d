/** Checkers that judge each promise by a drill's history alone, and the verdict they add up to. */
@NullMarked
package io.meridian.drill.checks;

import org.jspecify.annotations.NullMarked;
