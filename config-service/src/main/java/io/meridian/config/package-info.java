/** Config service: rules in PostgreSQL, their publication, the history, and the admin API, one package for each. */
@NullMarked
package io.meridian.config;

import org.jspecify.annotations.NullMarked;
