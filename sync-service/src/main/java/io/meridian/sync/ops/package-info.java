/** What the service counts, by name. */
@NullMarked
package io.meridian.sync.ops;

import org.jspecify.annotations.NullMarked;

