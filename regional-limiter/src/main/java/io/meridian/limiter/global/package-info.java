/** What the region tells the leaders of its use, and the verdicts of the leaders. */
@NullMarked
package io.meridian.limiter.global;

import org.jspecify.annotations.NullMarked;
