/** Test support without a dependency on any module of the product: seeds, amounts, waits, and the report at the end of a build. */
@NullMarked
package io.meridian.testkit;

import org.jspecify.annotations.NullMarked;
