@NullMarked
package io.meridian.limiter.instances;

import org.jspecify.annotations.NullMarked;
