@NullMarked
package io.meridian.stacktests.stack;

import org.jspecify.annotations.NullMarked;
