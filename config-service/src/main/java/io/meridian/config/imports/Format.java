package io.meridian.config.imports;

import io.meridian.model.rules.ListEntry.ListKind;
import java.io.InputStream;
import java.util.Iterator;
import java.util.Optional;

/** The forms in which a list comes. */
public enum Format {
    CSV,
    NDJSON;

    public static Optional<Format> of(String mediaType) {
        return switch (mediaType) {
            case "text/csv" -> Optional.of(CSV);
            case "application/x-ndjson" -> Optional.of(NDJSON);
            default -> Optional.empty();
        };
    }

    Iterator<Line> lines(InputStream body, ListKind list) {
        return this == CSV ? new CsvLines(body, list) : new NdjsonLines(body, list);
    }
}
