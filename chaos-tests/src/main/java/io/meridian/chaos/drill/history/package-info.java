/** What happened in a drill, as its omniscient client saw it: written by the run, judged by the checkers, shown in the report. */
@NullMarked
package io.meridian.chaos.drill.history;

import org.jspecify.annotations.NullMarked;
