/** Promise ledger: ended windows of global limits, judged against the bounds that their policies stated. */
@NullMarked
package io.meridian.config.history.promises;

import org.jspecify.annotations.NullMarked;
