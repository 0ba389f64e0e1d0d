/** A drill from its first check to its last: phases, faults, and that all is undone. */
@NullMarked
package io.meridian.chaos.drill.run;

import org.jspecify.annotations.NullMarked;
