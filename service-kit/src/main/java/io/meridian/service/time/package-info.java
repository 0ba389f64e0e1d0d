/** The clocks of a process. */
@NullMarked
package io.meridian.service.time;

import org.jspecify.annotations.NullMarked;
