/** How long a change takes from the admin who makes it to the regions that act by it. */
@NullMarked
package io.meridian.bench.config;

import org.jspecify.annotations.NullMarked;
