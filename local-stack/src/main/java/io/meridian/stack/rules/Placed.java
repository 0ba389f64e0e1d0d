package io.meridian.stack.rules;

import io.meridian.model.rulebook.Entry;

/** An entry, and where it stands. */
record Placed(Entry entry, String file, int line) {
    String place() {
        return file + ":" + line;
    }
}
