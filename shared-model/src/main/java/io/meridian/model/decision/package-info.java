/** The answer for all limits of a check together. */
@NullMarked
package io.meridian.model.decision;

import org.jspecify.annotations.NullMarked;
