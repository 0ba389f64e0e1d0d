/** Archive of the drills that were published, with their verdicts, journals and report pages. */
@NullMarked
package io.meridian.config.drills;

import org.jspecify.annotations.NullMarked;
