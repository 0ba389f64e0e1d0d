/** Tests of the local stack and of its commands, and the stack that the other tests share. */
@NullMarked
package io.meridian.stacktests.stack;

import org.jspecify.annotations.NullMarked;
