package io.meridian.stack.rulebook;

import io.meridian.model.rules.RuleEntry;

/** An entry, and where it stands. */
record Placed(RuleEntry entry, String file, int line) {
    String place() {
        return file + ":" + line;
    }
}
