/** What the local stack consists of, and at which ports. */
@NullMarked
package io.meridian.stack.plan;

import org.jspecify.annotations.NullMarked;
