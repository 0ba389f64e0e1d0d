/** What each region may spend of a global limit. */
@NullMarked
package io.meridian.model.escrow;

import org.jspecify.annotations.NullMarked;
