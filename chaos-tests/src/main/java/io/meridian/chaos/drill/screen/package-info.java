/** What whoever runs a drill sees of it while it lasts, and its verdict. */
@NullMarked
package io.meridian.chaos.drill.screen;

import org.jspecify.annotations.NullMarked;
