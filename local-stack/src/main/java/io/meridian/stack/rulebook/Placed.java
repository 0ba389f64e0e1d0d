package io.meridian.stack.rulebook;

import io.meridian.model.rulebook.Entry;

/** An entry, and where it stands. */
record Placed(Entry entry, String file, int line) {
    String place() {
        return file + ":" + line;
    }
}
