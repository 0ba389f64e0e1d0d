/** The rules (policies, tiers, overrides, lists) in PostgreSQL: reading them, and planning, checking and writing changes. */
@NullMarked
package io.meridian.config.rules;

import org.jspecify.annotations.NullMarked;
