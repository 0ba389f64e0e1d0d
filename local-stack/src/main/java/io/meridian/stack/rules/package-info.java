/** The rulebook as files and as the admin API has it: read, written, compared, applied. */
@NullMarked
package io.meridian.stack.rules;

import org.jspecify.annotations.NullMarked;
