package io.meridian.chaos.drill.file;

import java.util.List;

/** A file that is no drill, with all that is wrong with it. */
public final class BadDrillFile extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> errors;

    public BadDrillFile(String file, List<String> errors) {
        super(file + " is no drill:\n  " + String.join("\n  ", errors));
        this.errors = List.copyOf(errors);
    }

    /** Each with its place and the value that stands there. */
    public List<String> errors() {
        return errors;
    }
}
