/** What a region keeps and decides of a limit that regions share. */
@NullMarked
package io.meridian.model.counter;

import org.jspecify.annotations.NullMarked;

