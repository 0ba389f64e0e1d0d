package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.config.rulebook.Condition;
import io.meridian.config.rulebook.EntryForm;
import io.meridian.config.rulebook.EntryIds;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.rulebook.Op;
import io.meridian.config.rulebook.Rulebook;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.MalformedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads a list of changes. All that is wrong is named at once, each under its place: {@code changes[3].limit}. */
final class ChangeList {
    private static final String PUT = "put";
    private static final String DELETE = "delete";
    private static final String KINDS =
            Arrays.stream(Kind.values()).map(Kind::label).collect(Collectors.joining(", "));

    private final List<Op> ops = new ArrayList<>();
    private final List<FieldError> violations = new ArrayList<>();

    private ChangeList() {}

    static List<Op> read(JsonNode body) {
        JsonFieldNames.require(body, "the body", Set.of("changes"));
        JsonNode changes = body.path("changes");
        if (!changes.isArray() || changes.isEmpty() || changes.size() > Rulebook.CHANGES_MAX) {
            throw Refusal.of(
                    ErrorCode.INVALID,
                    "changes",
                    changes.isArray() ? changes.size() + " changes" : changes.toString(),
                    "must be a list of 1 to " + Rulebook.CHANGES_MAX + " changes");
        }
        ChangeList list = new ChangeList();
        for (int i = 0; i < changes.size(); i++) {
            list.add(changes.get(i), "changes[" + i + "]");
        }
        if (!list.violations.isEmpty()) {
            throw new ValidationException(list.violations);
        }
        return list.ops;
    }

    private void add(JsonNode change, String place) {
        String op = change.path("op").asText();
        JsonFieldNames.require(
                change, place, op.equals(DELETE) ? Set.of("op", "kind", "id") : Set.of("op", "kind", "entry"));
        String label = change.path("kind").asText();
        if (!op.equals(PUT) && !op.equals(DELETE)) {
            violations.add(new FieldError(place + ".op", op, "must be one of put, delete"));
        }
        Kind.labelled(label)
                .ifPresentOrElse(
                        kind -> read(kind, change, op, place),
                        () -> violations.add(new FieldError(place + ".kind", label, "must be one of " + KINDS)));
    }

    private void read(Kind kind, JsonNode change, String op, String place) {
        try {
            ops.add(
                    op.equals(DELETE)
                            ? new Op.Delete(
                                    EntryIds.read(kind, change.path("id").asText()), Condition.ALWAYS)
                            : new Op.Put(EntryForm.read(kind, change.path("entry")), Condition.ALWAYS));
        } catch (ValidationException invalid) {
            invalid.errors()
                    .forEach(each ->
                            violations.add(new FieldError(place + "." + each.field(), each.value(), each.rule())));
        } catch (MalformedException malformed) {
            throw Refusal.of(
                    malformed.unknownFields().isEmpty() ? ErrorCode.MALFORMED_BODY : ErrorCode.UNKNOWN_FIELD,
                    place + ": " + malformed.getMessage());
        }
    }
}
