/** Audit trail: the rows that say who did what, and their only writer and reader. */
@NullMarked
package io.meridian.config.audit;

import org.jspecify.annotations.NullMarked;
