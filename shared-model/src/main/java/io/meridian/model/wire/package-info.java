/** Records that leave a process, and their versions. */
@NullMarked
package io.meridian.model.wire;

import org.jspecify.annotations.NullMarked;
