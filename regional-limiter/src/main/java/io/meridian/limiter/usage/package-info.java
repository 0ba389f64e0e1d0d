/** What the region tells the leaders of its use, and the verdicts of the leaders. */
@NullMarked
package io.meridian.limiter.usage;

import org.jspecify.annotations.NullMarked;
