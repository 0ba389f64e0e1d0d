/** Execution of a drill on a target: phases, activities, faults with their undo, and event recording. */
@NullMarked
package io.meridian.drill.runner;

import org.jspecify.annotations.NullMarked;
