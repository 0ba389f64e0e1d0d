/** A drill as its file says it: in the shape of a Chaos Toolkit experiment, with the fault words of Chaos Mesh. */
@NullMarked
package io.meridian.chaos.drill.file;

import org.jspecify.annotations.NullMarked;
