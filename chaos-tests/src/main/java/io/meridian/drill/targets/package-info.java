/** Targets of drills: the local stack, or a deployment described by a file, behind one set of ports. */
@NullMarked
package io.meridian.drill.targets;

import org.jspecify.annotations.NullMarked;
