package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.regions.KnownRegions;
import io.meridian.config.rulebook.Applied;
import io.meridian.config.rulebook.ChangeRefused;
import io.meridian.config.rulebook.Condition;
import io.meridian.config.rulebook.EntryForm;
import io.meridian.config.rulebook.KnownNames;
import io.meridian.config.rulebook.Op;
import io.meridian.config.rulebook.Outcome;
import io.meridian.config.rulebook.Rulebook;
import io.meridian.config.rulebook.Stored;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Makes changes, or rehearses them, and answers with what became of them. */
@Singleton
class Changing {
    /** What limiters read of a request by themselves or most callers send. */
    private static final Set<String> USUAL_ATTRIBUTES = Set.of("api_key", "user_id", "tenant", "ip");

    private static final String PLACE_OF_THE_ONLY_ONE = "changes[0].";

    private final Rulebook rulebook;
    private final CallContext call;
    private final KnownRegions regions;
    private final Set<String> attributes;

    Changing(Rulebook rulebook, CallContext call, KnownRegions regions, PolicyNamesConfig config) {
        this.rulebook = rulebook;
        this.call = call;
        this.regions = regions;
        this.attributes = new TreeSet<>(USUAL_ATTRIBUTES);
        config.attributes().ifPresent(attributes::addAll);
    }

    Applied apply(List<Op> ops, Condition whole, ChangeOptions options) {
        KnownNames names = new KnownNames(regions.names(), attributes, options.allowUnknown());
        try {
            return options.dryRun()
                    ? rulebook.rehearse(call.actor(), ops, whole, names)
                    : rulebook.change(call.actor(), ops, whole, names);
        } catch (ChangeRefused refused) {
            throw translated(refused);
        }
    }

    /** The answer to a change of one entry. */
    Response one(Op op, ChangeOptions options) {
        boolean dryRun = options.dryRun();
        Applied applied = alone(op, options);
        Outcome outcome = applied.outcomes().get(0);
        Optional<Stored> shown = outcome.after().or(() -> dryRun ? outcome.before() : Optional.empty());
        Response.ResponseBuilder answer = Response.status(status(outcome, dryRun));
        shown.ifPresent(stored -> {
            if (outcome.after().isPresent() || !applied.warnings().isEmpty()) {
                Answers.changed(answer, stored, applied.warnings());
            } else {
                Answers.stored(answer, stored);
            }
        });
        if (dryRun) {
            answer.header(Answers.DRY_RUN, "true");
        } else {
            answer.header(Answers.REVISION, applied.revision());
        }
        if (outcome.what() == Outcome.What.CREATED && !dryRun) {
            answer.header(HttpHeaders.LOCATION, Answers.path(outcome.key()));
        }
        return answer.build();
    }

    private Applied alone(Op op, ChangeOptions options) {
        try {
            return apply(List.of(op), Condition.ALWAYS, options);
        } catch (ValidationException invalid) {
            throw new ValidationException(invalid.errors().stream()
                    .map(each ->
                            new FieldError(each.field().replace(PLACE_OF_THE_ONLY_ONE, ""), each.value(), each.rule()))
                    .toList());
        }
    }

    private static Response.Status status(Outcome outcome, boolean dryRun) {
        if (dryRun) {
            return Response.Status.OK;
        }
        return switch (outcome.what()) {
            case CREATED -> Response.Status.CREATED;
            case REPLACED, UNCHANGED -> Response.Status.OK;
            case DELETED -> Response.Status.NO_CONTENT;
        };
    }

    /** What stands in the way goes along, so that a caller can merge and try again. */
    private static Refusal translated(ChangeRefused refused) {
        ErrorCode code =
                switch (refused.reason()) {
                    case NOT_FOUND -> ErrorCode.NOT_FOUND;
                    case ALREADY_EXISTS -> ErrorCode.ALREADY_EXISTS;
                    case STALE -> ErrorCode.STALE;
                    case IN_USE -> ErrorCode.IN_USE;
                };
        Map<String, String> headers = new HashMap<>();
        refused.current().ifPresent(stored -> headers.put(HttpHeaders.ETAG, stored.etag()));
        Optional<ObjectNode> current =
                code == ErrorCode.STALE ? refused.current().map(EntryForm::write) : Optional.empty();
        return Refusal.of(Problem.of(code, String.valueOf(refused.getMessage())), headers, current);
    }
}
