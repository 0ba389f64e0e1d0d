/** Child processes that never outlive the process that started them. */
@NullMarked
package io.meridian.stack.process;

import org.jspecify.annotations.NullMarked;
