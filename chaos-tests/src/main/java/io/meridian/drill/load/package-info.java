/** Open-loop load generator of drills: send schedules and the HTTP client of limiters. */
@NullMarked
package io.meridian.drill.load;

import org.jspecify.annotations.NullMarked;
