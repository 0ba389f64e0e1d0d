/** Rules as files and as the admin API has them: read, written, compared, applied. */
@NullMarked
package io.meridian.stack.rules;

import org.jspecify.annotations.NullMarked;
