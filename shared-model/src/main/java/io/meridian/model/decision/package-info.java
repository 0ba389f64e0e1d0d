/** Decision on a check by all its limits together. */
@NullMarked
package io.meridian.model.decision;

import org.jspecify.annotations.NullMarked;
