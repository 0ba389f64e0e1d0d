package io.meridian.sync.leader;

import io.meridian.sync.leader.LogPort.TransactionOutcome;

/** What became of a transaction. */
public enum TransactionOutcome {
    COMMITTED,
    /** The broker says that another one leads. */
    REFUSED,
    /** It may have been committed or not: whoever goes on has to read what was. */
    FAILED
}
