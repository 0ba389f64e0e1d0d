/** HTTP resource of the state of partitions, regions and overshoots. */
@NullMarked
package io.meridian.sync.api;

import org.jspecify.annotations.NullMarked;
