/** What a drill runs against: the local stack, or a deployment that a file describes. */
@NullMarked
package io.meridian.chaos.drill.world;

import org.jspecify.annotations.NullMarked;
