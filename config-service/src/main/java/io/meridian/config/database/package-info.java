/** Access to PostgreSQL: connections, transactions, timestamps and the schema. */
@NullMarked
package io.meridian.config.database;

import org.jspecify.annotations.NullMarked;
