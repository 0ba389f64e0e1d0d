/** What the region tells the centre of its use, and what the centre says to that. */
@NullMarked
package io.meridian.limiter.usage;

import org.jspecify.annotations.NullMarked;
