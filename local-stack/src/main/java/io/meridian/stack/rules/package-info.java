/** Rules as YAML files and as the admin API has them, their differences, and the application of these. */
@NullMarked
package io.meridian.stack.rules;

import org.jspecify.annotations.NullMarked;
