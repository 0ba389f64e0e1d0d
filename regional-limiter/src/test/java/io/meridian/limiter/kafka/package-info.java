@NullMarked
package io.meridian.limiter.kafka;

import org.jspecify.annotations.NullMarked;
