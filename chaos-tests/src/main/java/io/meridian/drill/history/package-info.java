/** Event history of a drill, its file format, and views derived from it: phases, faults, windows, lateness. */
@NullMarked
package io.meridian.drill.history;

import org.jspecify.annotations.NullMarked;
