/** Images, as whoever runs them finds them. */
@NullMarked
package io.meridian.infra.image;

import org.jspecify.annotations.NullMarked;
