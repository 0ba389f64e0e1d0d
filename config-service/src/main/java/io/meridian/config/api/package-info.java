/** The admin API: parses, calls, answers. */
@NullMarked
package io.meridian.config.api;

import org.jspecify.annotations.NullMarked;
