/** What a drill leaves behind: a journal, its history, the results, and a page that shows them. */
@NullMarked
package io.meridian.chaos.drill.report;

import org.jspecify.annotations.NullMarked;
