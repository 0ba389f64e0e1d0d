package io.meridian.config.imports;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is wrong with an import: the first lines by number and reason, the rest counted. */
final class WrongLines {
    static final int LISTED_MAX = 100;

    private final List<Line.Wrong> listed = new ArrayList<>();
    private long count;

    void add(Line.Wrong line) {
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
                .sorted(Comparator.comparingLong(Line.Wrong::number))
                .forEach(line -> json.addObject().put("line", line.number()).put("reason", line.reason()));
        return json;
    }
}
