package io.meridian.sync.leader;

import io.meridian.sync.leader.LogPort.TransactionOutcome;
import java.util.List;
import java.util.function.Consumer;

/** The port to the topic of verdicts. */
interface Voice {
    /** Says all of it or nothing, and then tells how that went; until then nothing else is said. */
    void say(List<Statement> statements, Consumer<TransactionOutcome> then);
}
