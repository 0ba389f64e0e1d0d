/** Import of allow and deny lists from files of up to millions of lines. */
@NullMarked
package io.meridian.config.imports;

import org.jspecify.annotations.NullMarked;
