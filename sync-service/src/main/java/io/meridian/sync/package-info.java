@NullMarked
package io.meridian.sync;

import org.jspecify.annotations.NullMarked;
