/** What the service counts, by name. */
@NullMarked
package io.meridian.config.ops;

import org.jspecify.annotations.NullMarked;
