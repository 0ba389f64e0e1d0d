/** Files of a drill's report: journal, history, results, and the timeline page. */
@NullMarked
package io.meridian.drill.report;

import org.jspecify.annotations.NullMarked;
