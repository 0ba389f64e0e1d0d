/** Whether this instance takes requests. */
@NullMarked
package io.meridian.config.health;

import org.jspecify.annotations.NullMarked;
