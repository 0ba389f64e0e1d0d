package io.meridian.model.wire;

import java.util.List;

/** A document that is not of the form we read at all: no JSON, not an object, or with fields that do not exist. */
public final class MalformedException extends IllegalArgumentException {
    private final transient List<String> unknownFields;

    MalformedException(String message, List<String> unknownFields) {
        super(message);
        this.unknownFields = List.copyOf(unknownFields);
    }

    MalformedException(String message, Throwable cause) {
        super(message, cause);
        this.unknownFields = List.of();
    }

    public List<String> unknownFields() {
        return unknownFields;
    }
}
