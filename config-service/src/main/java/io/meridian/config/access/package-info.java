/** Authentication and authorization: tokens and roles. */
@NullMarked
package io.meridian.config.access;

import org.jspecify.annotations.NullMarked;
