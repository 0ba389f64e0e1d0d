@NullMarked
package io.meridian.chaos.drill.screen;

import org.jspecify.annotations.NullMarked;
