/** What a region keeps and decides of a limit that regions share. */
@NullMarked
package io.meridian.model.share;

import org.jspecify.annotations.NullMarked;
