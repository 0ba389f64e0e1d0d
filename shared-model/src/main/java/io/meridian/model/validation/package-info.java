/** How bad input is refused: every broken rule, with its field and value. */
@NullMarked
package io.meridian.model.validation;

import org.jspecify.annotations.NullMarked;

