@NullMarked
package io.meridian.chaos.drill.verdict;

import org.jspecify.annotations.NullMarked;
