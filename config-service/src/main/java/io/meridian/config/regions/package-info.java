/** Exchange with the limiters of all regions: their reports, and questions about a client. */
@NullMarked
package io.meridian.config.regions;

import org.jspecify.annotations.NullMarked;
