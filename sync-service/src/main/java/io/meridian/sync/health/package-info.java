/** Whether this instance takes requests. */
@NullMarked
package io.meridian.sync.health;

import org.jspecify.annotations.NullMarked;
