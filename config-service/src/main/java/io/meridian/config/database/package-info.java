/** PostgreSQL: its schema, and how it is asked. */
@NullMarked
package io.meridian.config.database;

import org.jspecify.annotations.NullMarked;
