/** Terminal output of a drill: live progress and the verdict. */
@NullMarked
package io.meridian.drill.console;

import org.jspecify.annotations.NullMarked;
