/** Lists of up to millions of lines, read as they come: all of them become entries, or none. */
@NullMarked
package io.meridian.config.imports;

import org.jspecify.annotations.NullMarked;
