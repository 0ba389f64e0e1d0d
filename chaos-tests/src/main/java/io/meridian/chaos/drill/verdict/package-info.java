/** What a drill's history comes to: checkers, each of one promise, and the verdict that they make together. */
@NullMarked
package io.meridian.chaos.drill.verdict;

import org.jspecify.annotations.NullMarked;
