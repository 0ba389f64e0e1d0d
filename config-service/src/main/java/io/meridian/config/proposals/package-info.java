/** Proposals: sets of changes that a second editor approves before they are applied. */
@NullMarked
package io.meridian.config.proposals;

import org.jspecify.annotations.NullMarked;
