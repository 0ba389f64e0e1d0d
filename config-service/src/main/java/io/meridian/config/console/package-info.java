/** Web console: sessions of signed-in browsers, one-time sign-in links, and the delivery of its pages. */
@NullMarked
package io.meridian.config.console;

import org.jspecify.annotations.NullMarked;
