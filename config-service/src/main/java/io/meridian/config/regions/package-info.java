/** The limiters of all regions: which rules they run, and what they answer about a client. */
@NullMarked
package io.meridian.config.regions;

import org.jspecify.annotations.NullMarked;
