/** The simulation, the drills, and the tests of the whole stack. */
@NullMarked
package io.meridian.chaos;

import org.jspecify.annotations.NullMarked;
