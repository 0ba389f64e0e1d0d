/** Checks that are scripts of their own. */
@NullMarked
package io.meridian.infra.check;

import org.jspecify.annotations.NullMarked;
