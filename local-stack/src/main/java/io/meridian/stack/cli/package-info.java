/** The meridian command. */
@NullMarked
package io.meridian.stack.cli;

import org.jspecify.annotations.NullMarked;
