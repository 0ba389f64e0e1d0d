/** PostgreSQL: its schema, and how it is asked. */
@NullMarked
package io.meridian.config.store;

import org.jspecify.annotations.NullMarked;
