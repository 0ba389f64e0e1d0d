/** Drill definitions: files in the shape of a Chaos Toolkit experiment, with the fault vocabulary of Chaos Mesh. */
@NullMarked
package io.meridian.drill.definition;

import org.jspecify.annotations.NullMarked;
