@NullMarked
package io.meridian.limiter.health;

import org.jspecify.annotations.NullMarked;
