package io.meridian.config.api;

import io.smallrye.config.ConfigMapping;
import jakarta.ws.rs.core.UriInfo;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.regions.KnownRegions;
import io.meridian.config.rules.ChangeResult;
import io.meridian.config.rules.ChangeRefusedException;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.rules.EntryDocument;
import io.meridian.config.rules.KnownNames;
import io.meridian.config.rules.EntryChange;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.RuleStore;
import io.meridian.config.rules.StoredEntry;
import io.meridian.model.rule.InvalidException;
import io.meridian.model.rule.Violation;
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
class ChangeExecutor {
    /** What limiters read of a request by themselves or most callers send. */
    private static final Set<String> USUAL_ATTRIBUTES = Set.of("api_key", "user_id", "tenant", "ip");

    private static final String PLACE_OF_THE_ONLY_ONE = "changes[0].";

    private final RuleStore rulebook;
    private final CallContext call;
    private final KnownRegions regions;
    private final Set<String> attributes;

    ChangeExecutor(RuleStore rulebook, CallContext call, KnownRegions regions, PolicyNamesConfig config) {
        this.rulebook = rulebook;
        this.call = call;
        this.regions = regions;
        this.attributes = new TreeSet<>(USUAL_ATTRIBUTES);
        config.attributes().ifPresent(attributes::addAll);
    }

    ChangeResult apply(List<EntryChange> ops, Precondition whole, Options options) {
        KnownNames names = new KnownNames(regions.names(), attributes, options.allowUnknown());
        try {
            return options.dryRun()
                    ? rulebook.rehearse(call.actor(), ops, whole, names)
                    : rulebook.change(call.actor(), ops, whole, names);
        } catch (ChangeRefusedException refused) {
            throw translated(refused);
        }
    }

    /** The answer to a change of one entry. */
    Response one(EntryChange op, Options options) {
        boolean dryRun = options.dryRun();
        ChangeResult applied = alone(op, options);
        EntryOutcome outcome = applied.outcomes().get(0);
        Optional<StoredEntry> shown = outcome.after().or(() -> dryRun ? outcome.before() : Optional.empty());
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
        if (outcome.what() == EntryOutcome.What.CREATED && !dryRun) {
            answer.header(HttpHeaders.LOCATION, Answers.path(outcome.key()));
        }
        return answer.build();
    }

    private ChangeResult alone(EntryChange op, Options options) {
        try {
            return apply(List.of(op), Precondition.ALWAYS, options);
        } catch (InvalidException invalid) {
            throw new InvalidException(invalid.violations().stream()
                    .map(each ->
                            new Violation(each.field().replace(PLACE_OF_THE_ONLY_ONE, ""), each.value(), each.rule()))
                    .toList());
        }
    }

    private static Response.Status status(EntryOutcome outcome, boolean dryRun) {
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
    private static Refusal translated(ChangeRefusedException refused) {
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
                code == ErrorCode.STALE ? refused.current().map(EntryDocument::write) : Optional.empty();
        return Refusal.of(Problem.of(code, String.valueOf(refused.getMessage())), headers, current);
    }

    /**
     * The parameters that changes of entries have.
     *
     * @param dryRun whether the change is only rehearsed
     * @param allowUnknown whether a policy may name a tier or a region that does not exist
     */
    record Options(boolean dryRun, boolean allowUnknown) {
        private static final String ALLOW_UNKNOWN = "allow_unknown";

        static Options of(UriInfo uri) {
            Query query = Query.of(uri, Query.DRY_RUN, ALLOW_UNKNOWN);
            return new Options(query.flag(Query.DRY_RUN), query.flag(ALLOW_UNKNOWN));
        }

        /** Of a change that has no use for names. */
        static Options ofDryRun(UriInfo uri) {
            return new Options(Query.dryRun(uri), false);
        }
    }

    /** What policies are known to be able to name. */
    @ConfigMapping(prefix = "meridian.config.policies")
    interface PolicyNamesConfig {
        /** Attributes that callers send beside api_key, user_id, tenant and ip: a policy that counts by another one is warned of. */
        Optional<Set<String>> attributes();
    }
}
