/** Usage reports of a region to the leaders, and the application of their verdicts, floors and beats. */
@NullMarked
package io.meridian.limiter.global;

import org.jspecify.annotations.NullMarked;
