/** What is limited, how, and how it degrades. */
@NullMarked
package io.meridian.model.policy;

import org.jspecify.annotations.NullMarked;
