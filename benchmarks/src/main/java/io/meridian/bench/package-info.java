/** Figures, measured: every one a program prints. */
@NullMarked
package io.meridian.bench;

import org.jspecify.annotations.NullMarked;
