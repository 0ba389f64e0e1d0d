@NullMarked
package io.meridian.chaos.drill.report;

import org.jspecify.annotations.NullMarked;
