/** Usage of global limits by regions, as counts that merge. */
@NullMarked
package io.meridian.model.usage;

import org.jspecify.annotations.NullMarked;
