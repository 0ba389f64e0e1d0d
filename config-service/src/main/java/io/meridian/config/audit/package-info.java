/** The audit trail, with its only writer and reader. */
@NullMarked
package io.meridian.config.audit;

import org.jspecify.annotations.NullMarked;
