/** Live view of all regions: rates, contact and denials as limiters report them, and changes as they are stored. */
@NullMarked
package io.meridian.config.live;

import org.jspecify.annotations.NullMarked;
