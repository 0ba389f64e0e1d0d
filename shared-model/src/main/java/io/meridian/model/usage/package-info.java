/** What the regions took, as counts that merge. */
@NullMarked
package io.meridian.model.usage;

import org.jspecify.annotations.NullMarked;
