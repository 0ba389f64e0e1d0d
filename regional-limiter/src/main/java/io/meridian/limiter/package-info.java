@NullMarked
package io.meridian.limiter;

import org.jspecify.annotations.NullMarked;
