/** Publication of committed changes from the outbox table to the policies topic: every change, in order, once. */
@NullMarked
package io.meridian.config.outbox;

import org.jspecify.annotations.NullMarked;
