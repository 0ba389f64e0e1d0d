/** Parts of a local stack, their names and their ports. */
@NullMarked
package io.meridian.stack.plan;

import org.jspecify.annotations.NullMarked;
