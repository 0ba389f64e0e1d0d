package io.meridian.config.imports;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.model.rules.RuleEntry;
import io.meridian.service.http.Redaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One line of an import: an entry, or an error. */
sealed interface ImportLine {
    /** The number of its first line in the file, from 1. */
    long number();

    record Good(long number, RuleEntry entry) implements ImportLine {}

    /** Error. The reason may quote the line, so it is redacted and bounded. */
    record Wrong(long number, String reason) implements ImportLine {
        public Wrong {
            reason = Redaction.text(reason);
        }
    }

    /** Errors of an import: the first ones by line number and reason, the rest counted. */
    static final class WrongLines {
        static final int LISTED_MAX = 100;

        private final List<ImportLine.Wrong> listed = new ArrayList<>();
        private long count;

        void add(ImportLine.Wrong line) {
            count++;
            if (listed.size() < LISTED_MAX) {
                listed.add(line);
            }
        }

        long count() {
            return count;
        }

        ArrayNode toJson() {
            ArrayNode json = JsonNodeFactory.instance.arrayNode();
            listed.stream()
                    .sorted(Comparator.comparingLong(ImportLine.Wrong::number))
                    .forEach(line -> json.addObject().put("line", line.number()).put("reason", line.reason()));
            return json;
        }
    }
}
