/** HTTP interface: the state of partitions and regions. */
@NullMarked
package io.meridian.sync.api;

import org.jspecify.annotations.NullMarked;
