package io.meridian.config.rules;

import io.meridian.config.database.Database.Session;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
import io.meridian.config.rules.EntryChange.ChangeRefusedException.Reason;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.KeySpec.KeyPart;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Selector;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Guard of changes by a tenant admin: only policies that select exactly the tenant, before and after, and with limits within those of the
 * policies above them. A policy of another tenant is refused as one that does not exist.
 */
public record TenantGuard(String tenant) implements ChangeGuard {
    /** The attribute of checks that names the tenant. */
    static final String ATTRIBUTE = "tenant";

    private static final String CANDIDATES = "SELECT " + EntryTables.COLUMNS + """
             FROM policy WHERE (document ->> 'enabled')::boolean
                AND coalesce(document #> '{applies_to,attributes,tenant}' @> to_jsonb($1::text), true)
            ORDER BY id LIMIT $2""";

    /** Whether an entry is a policy that selects this tenant and no other. */
    public static boolean isOwn(StoredEntry stored, String tenant) {
        return stored.entry() instanceof RuleEntry.OfPolicy of && isOwn(of.policy(), tenant);
    }

    private static boolean isOwn(Policy policy, String tenant) {
        return Set.of(tenant).equals(policy.appliesTo().attributes().get(ATTRIBUTE));
    }

    @Override
    public void admit(Session session, List<EntryChange> changes, Map<RuleEntry.Key, StoredEntry> stored) {
        for (EntryChange change : changes) {
            String entry = EntryKind.describe(change.key());
            if (EntryKind.of(change.key()) != EntryKind.POLICY) {
                throw new ChangeRefusedException(
                        Reason.FORBIDDEN, entry + " is not a policy of the tenant " + tenant, Optional.empty());
            }
            StoredEntry present = stored.get(change.key());
            if (present != null && !isOwn(present, tenant)) {
                throw change.condition() instanceof Precondition.New
                        ? new ChangeRefusedException(
                                Reason.ALREADY_EXISTS, "the id of " + entry + " is taken", Optional.empty())
                        : new ChangeRefusedException(Reason.NOT_FOUND, "there is no " + entry, Optional.empty());
            }
        }
    }

    @Override
    public void check(Session session, List<EntryOutcome> outcomes) {
        List<Policy> changed = outcomes.stream()
                .filter(outcome -> outcome.effect() != Effect.UNCHANGED)
                .flatMap(outcome -> outcome.after().stream())
                .flatMap(after -> after.entry() instanceof RuleEntry.OfPolicy of
                        ? List.of(of.policy()).stream()
                        : List.<Policy>of().stream())
                .toList();
        Validator rules = new Validator();
        for (Policy policy : changed) {
            rules.require(
                    isOwn(policy, tenant),
                    "applies_to.attributes." + ATTRIBUTE,
                    policy.appliesTo().attributes().getOrDefault(ATTRIBUTE, Set.of()),
                    "must be [" + tenant + "], the tenant of the token");
        }
        rules.throwIfInvalid();
        List<Policy> enabled = changed.stream().filter(Policy::enabled).toList();
        if (enabled.isEmpty()) {
            return;
        }
        List<Policy> candidates = EntryTables.read(
                        EntryKind.POLICY, session.run(CANDIDATES, tenant, (int) ChangePlan.ReferenceCheck.COUNT_MAX))
                .stream()
                .map(stored -> ((RuleEntry.OfPolicy) stored.entry()).policy())
                .toList();
        List<FieldError> violations = enabled.stream()
                .flatMap(policy -> new Ceiling(policy, tenant).violations(candidates).stream())
                .toList();
        if (!violations.isEmpty()) {
            throw new ValidationException(violations);
        }
    }

    /**
     * Bound of a policy of a tenant by the policies above it. Pure.
     *
     * <p>A policy A is above P if A is enabled, refuses (is not log_only), applies to every request that P applies to in each of its
     * selectors, and counts at least as coarsely: every part of A's key is in P's key, or is an attribute of which P selects one value. So
     * all that one counter of P admits is in one counter of A. P may then not promise more than A: {@code limit(P) / window(P) <=
     * limit(A) / window(A)}, and {@code limit(P) + burst(P) <= limit(A) + burst(A)} where the window of P is not longer. A month has 28 days
     * in P and 31 in A, unless both have it. Limits are compared as written, in units. A policy of the tenant itself is above others if it
     * is protected, because its admin cannot change it.
     */
    record Ceiling(Policy policy, String tenant) {
        private static final long SHORT_MONTH_SECONDS = TimeUnit.DAYS.toSeconds(28);
        private static final long LONG_MONTH_SECONDS = TimeUnit.DAYS.toSeconds(31);

        List<FieldError> violations(Collection<Policy> others) {
            return others.stream()
                    .filter(other -> isAbove(other) && exceeds(other.limitSpec()))
                    .map(other -> new FieldError(
                            "limit",
                            text(policy.limitSpec()),
                            "must lie within policy " + other.id() + ", which applies to the same requests: at most "
                                    + text(other.limitSpec())))
                    .toList();
        }

        private boolean isAbove(Policy other) {
            return other.enabled()
                    && !other.id().equals(policy.id())
                    && other.enforcement().action() != Enforcement.Action.LOG_ONLY
                    && (other.isProtected() || !isOwn(other, tenant))
                    && selectsAll(other.appliesTo())
                    && other.key().parts().stream().allMatch(this::isCountedBy);
        }

        private boolean selectsAll(Selector above) {
            Selector own = policy.appliesTo();
            boolean endpoints = above.endpoints().isEmpty()
                    || (!own.endpoints().isEmpty()
                            && own.endpoints().stream()
                                    .allMatch(path -> above.endpoints().stream().anyMatch(each -> each.covers(path))));
            boolean attributes = above.attributes().entrySet().stream().allMatch(each -> {
                Set<String> values = own.attributes().get(each.getKey());
                return values != null && each.getValue().containsAll(values);
            });
            return endpoints
                    && attributes
                    && hasAll(above.methods(), own.methods())
                    && hasAll(above.tiers(), own.tiers())
                    && hasAll(above.regions(), own.regions())
                    && own.headers().entrySet().containsAll(above.headers().entrySet());
        }

        /** An empty part selects everything. */
        private static boolean hasAll(Set<String> above, Set<String> own) {
            return above.isEmpty() || (!own.isEmpty() && above.containsAll(own));
        }

        private boolean isCountedBy(KeyPart above) {
            Set<String> values = policy.appliesTo().attributes().getOrDefault(above.attribute(), Set.of());
            return values.size() == 1 || policy.key().parts().stream().anyMatch(own -> isFiner(own, above));
        }

        private static boolean isFiner(KeyPart own, KeyPart above) {
            if (own instanceof KeyPart.Address mine && above instanceof KeyPart.Address other) {
                return mine.v4Bits() >= other.v4Bits() && mine.v6Bits() >= other.v6Bits();
            }
            return own.equals(above);
        }

        private boolean exceeds(LimitSpec above) {
            LimitSpec own = policy.limitSpec();
            boolean sameWindow = own.window().equals(above.window());
            long ownSeconds = sameWindow ? 1 : seconds(own.window(), SHORT_MONTH_SECONDS);
            long aboveSeconds = sameWindow ? 1 : seconds(above.window(), LONG_MONTH_SECONDS);
            boolean faster =
                    Math.multiplyExact(own.limit(), aboveSeconds) > Math.multiplyExact(above.limit(), ownSeconds);
            boolean larger = ownSeconds <= aboveSeconds && own.limit() + own.burst() > above.limit() + above.burst();
            return faster || larger;
        }

        private static long seconds(Window window, long monthSeconds) {
            return window instanceof Window.Span span ? TimeUnit.MICROSECONDS.toSeconds(span.micros()) : monthSeconds;
        }

        private static String text(LimitSpec spec) {
            return spec.limit() + " per " + spec.window() + (spec.burst() > 0 ? " with burst " + spec.burst() : "");
        }
    }
}
