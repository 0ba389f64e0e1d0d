/** What a draft policy would have done to recorded usage: pure but for reading the record. */
@NullMarked
package io.meridian.config.history.whatif;

import org.jspecify.annotations.NullMarked;
