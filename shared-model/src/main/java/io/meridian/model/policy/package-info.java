/** Policies: which requests they apply to, how they count, and how they degrade. */
@NullMarked
package io.meridian.model.policy;

import org.jspecify.annotations.NullMarked;
