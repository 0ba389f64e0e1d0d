/** How one replica leads a partition: it reads along, takes over, speaks in transactions, and is fenced. */
@NullMarked
package io.meridian.sync.leader;

import org.jspecify.annotations.NullMarked;

