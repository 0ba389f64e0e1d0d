/** Validation of input: every error at once, with its field, value and rule. */
@NullMarked
package io.meridian.model.validation;

import org.jspecify.annotations.NullMarked;
