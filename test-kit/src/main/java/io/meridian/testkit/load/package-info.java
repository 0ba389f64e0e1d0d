/** Load generator over HTTP, closed and open loop. */
@NullMarked
package io.meridian.testkit.load;

import org.jspecify.annotations.NullMarked;
