package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.AdminRole;
import io.meridian.config.regions.KnownRegions;
import io.meridian.config.rules.ChangeGuard;
import io.meridian.config.rules.ChangeResult;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.rules.EntryDocument;
import io.meridian.config.rules.KnownNames;
import io.meridian.config.rules.RuleStore;
import io.meridian.config.rules.StoredEntry;
import io.meridian.config.rules.TenantGuard;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.service.http.Problem;
import io.smallrye.config.ConfigMapping;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Execution of changes and dry runs, and their answers. */
@Singleton
class ChangeExecutor {
    /** Attributes that limiters read of a request by themselves, or that most callers send. */
    private static final Set<String> USUAL_ATTRIBUTES = Set.of("api_key", "user_id", "tenant", "ip");

    private static final String PLACE_OF_SINGLE_CHANGE = "changes[0].";

    private final RuleStore rules;
    private final CallContext call;
    private final KnownRegions regions;
    private final Set<String> attributes;

    ChangeExecutor(RuleStore rules, CallContext call, KnownRegions regions, PolicyNamesConfig config) {
        this.rules = rules;
        this.call = call;
        this.regions = regions;
        this.attributes = new TreeSet<>(USUAL_ATTRIBUTES);
        config.attributes().ifPresent(attributes::addAll);
    }

    /** Direct changes: a protected policy is not among them. */
    ChangeResult apply(List<EntryChange> changes, Precondition whole, Options options) {
        return apply(changes, whole, options, direct());
    }

    /** The guard of direct changes by the caller. */
    ChangeGuard direct() {
        ChangeGuard protection = new ChangeGuard.Protection(call.covers(AdminRole.ADMIN));
        return call.tenant()
                .map(tenant -> protection.and(new TenantGuard(tenant)))
                .orElse(protection);
    }

    /** Changes under the guard alone. */
    ChangeResult apply(List<EntryChange> changes, Precondition whole, Options options, ChangeGuard guard) {
        KnownNames names = new KnownNames(regions.names(), attributes, options.allowUnknown());
        try {
            return options.dryRun()
                    ? rules.dryRun(call.actor(), changes, whole, names, guard)
                    : rules.change(call.actor(), changes, whole, names, guard);
        } catch (ChangeRefusedException refused) {
            throw translated(refused);
        }
    }

    /** The answer to a change of one entry. */
    Response one(EntryChange change, Options options) {
        boolean dryRun = options.dryRun();
        ChangeResult result = applySingle(change, options);
        EntryOutcome outcome = result.outcomes().get(0);
        Optional<StoredEntry> shown = outcome.after().or(() -> dryRun ? outcome.before() : Optional.empty());
        Response.ResponseBuilder answer = Response.status(status(outcome, dryRun));
        shown.ifPresent(stored -> {
            if (outcome.after().isPresent() || !result.warnings().isEmpty()) {
                EntryAnswers.changed(answer, stored, result.warnings());
            } else {
                EntryAnswers.stored(answer, stored);
            }
        });
        if (dryRun) {
            answer.header(EntryAnswers.DRY_RUN, "true");
        } else {
            answer.header(EntryAnswers.REVISION, result.revision());
        }
        if (outcome.effect() == Effect.CREATED && !dryRun) {
            answer.header(HttpHeaders.LOCATION, EntryAnswers.path(outcome.key()));
        }
        return answer.build();
    }

    private ChangeResult applySingle(EntryChange change, Options options) {
        try {
            return apply(List.of(change), Precondition.ALWAYS, options);
        } catch (ValidationException invalid) {
            throw new ValidationException(invalid.errors().stream()
                    .map(each ->
                            new FieldError(each.field().replace(PLACE_OF_SINGLE_CHANGE, ""), each.value(), each.rule()))
                    .toList());
        }
    }

    private static Response.Status status(EntryOutcome outcome, boolean dryRun) {
        if (dryRun) {
            return Response.Status.OK;
        }
        return switch (outcome.effect()) {
            case CREATED -> Response.Status.CREATED;
            case REPLACED, UNCHANGED -> Response.Status.OK;
            case DELETED -> Response.Status.NO_CONTENT;
        };
    }

    /** The answer to a stale change has the present entry, so that a caller can merge and try again. */
    private static Refusal translated(ChangeRefusedException refused) {
        AdminErrorCode code =
                switch (refused.reason()) {
                    case NOT_FOUND -> AdminErrorCode.NOT_FOUND;
                    case ALREADY_EXISTS -> AdminErrorCode.ALREADY_EXISTS;
                    case STALE -> AdminErrorCode.STALE;
                    case IN_USE -> AdminErrorCode.IN_USE;
                    case PROTECTED -> AdminErrorCode.PROTECTED;
                    case FORBIDDEN -> AdminErrorCode.FORBIDDEN;
                };
        Map<String, String> headers = new HashMap<>();
        refused.current().ifPresent(stored -> headers.put(HttpHeaders.ETAG, stored.etag()));
        Optional<ObjectNode> current =
                code == AdminErrorCode.STALE ? refused.current().map(EntryDocument::write) : Optional.empty();
        return Refusal.of(Problem.of(code, String.valueOf(refused.getMessage())), headers, current);
    }

    /**
     * Query parameters of changes of entries.
     *
     * @param dryRun whether nothing is changed
     * @param allowUnknown whether a policy may name a tier or a region that does not exist
     */
    record Options(boolean dryRun, boolean allowUnknown) {
        private static final String ALLOW_UNKNOWN = "allow_unknown";

        static Options of(UriInfo uri) {
            Query query = Query.of(uri, Query.DRY_RUN, ALLOW_UNKNOWN);
            return new Options(query.flag(Query.DRY_RUN), query.flag(ALLOW_UNKNOWN));
        }

        /** The same, changing nothing. */
        Options asDryRun() {
            return new Options(true, allowUnknown);
        }

        /** Of a change that brings no names. */
        static Options ofDryRun(UriInfo uri) {
            return new Options(Query.dryRun(uri), false);
        }
    }

    /** Settings of the check of names in policies. */
    @ConfigMapping(prefix = "meridian.config.policies")
    interface PolicyNamesConfig {
        /**
         * Attributes that callers send besides api_key, user_id, tenant and ip: a policy that counts by another one gives a
         * warning.
         */
        Optional<Set<String>> attributes();
    }
}
