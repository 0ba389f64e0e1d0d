/** The secret of a deployment, and the hash that is keyed by it. */
@NullMarked
package io.meridian.model.hash;

import org.jspecify.annotations.NullMarked;
