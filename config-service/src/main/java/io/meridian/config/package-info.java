@NullMarked
package io.meridian.config;

import org.jspecify.annotations.NullMarked;
