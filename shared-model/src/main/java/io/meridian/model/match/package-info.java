/** Which limits a check meets. */
@NullMarked
package io.meridian.model.match;

import org.jspecify.annotations.NullMarked;
