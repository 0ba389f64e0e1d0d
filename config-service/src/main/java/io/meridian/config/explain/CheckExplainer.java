package io.meridian.config.explain;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.config.explain.Explanation.ListHit;
import io.meridian.config.explain.Explanation.MismatchItem;
import io.meridian.config.explain.Explanation.OverrideUsed;
import io.meridian.config.explain.Explanation.PolicyItem;
import io.meridian.config.explain.Explanation.RegionItem;
import io.meridian.config.explain.Explanation.TierUsed;
import io.meridian.config.regions.RegionQueries;
import io.meridian.config.regions.RegionQueries.RegionAnswers;
import io.meridian.config.regions.RegionQueries.RegionsUnavailableException;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryTables;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.match.PolicyIndex;
import io.meridian.model.match.PolicyMatch;
import io.meridian.model.match.PolicyMatch.Mismatch;
import io.meridian.model.match.PolicyMatch.Part;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.rules.Tier.ClientTier;
import io.meridian.model.time.TimeSource;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQueryReply;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explainer of checks. The rules are read in one snapshot of PostgreSQL, the state of the limits is asked of the limiters; nothing is
 * consumed. Bounded by the number of policies, and in the regions by the bounds of {@link RegionQueries}.
 */
@Singleton
public class CheckExplainer {
    private static final Comparator<Policy> EVALUATION =
            Comparator.comparingInt(Policy::priority).reversed().thenComparing(Policy::id);
    private static final String SILENT = "no limiter of the region answered in time";

    private final Database database;
    private final RegionQueries queries;
    private final TimeSource time;

    CheckExplainer(Database database, RegionQueries queries, TimeSource time) {
        this.database = database;
        this.queries = queries;
        this.time = time;
    }

    /**
     * Check to be explained.
     *
     * @param check valid, without a tier
     * @param endpoint as the caller wrote it
     * @param region the only region to ask; every region if it is empty
     */
    public record Question(Check check, String endpoint, Optional<String> region) {}

    /**
     * Explains a check.
     *
     * @param known the regions that exist
     */
    public Explanation explain(Question question, Set<String> known) {
        long nowMicros = time.wallMicros();
        List<String> asked = question.region()
                .map(List::of)
                .orElseGet(() -> known.stream().sorted().toList());
        Rules rules = database.transaction(session -> {
            session.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
            return Rules.read(session, question.check(), asked, nowMicros);
        });
        Map<String, Limit> limits = new HashMap<>();
        rules.matches.forEach(match -> match.limit.ifPresent(limit -> limits.put(match.policy.id(), limit)));
        RegionVerdict verdict =
                new RegionVerdict(rules.list, limits, question.check().cost());
        return new Explanation(
                Timestamps.ofMicros(nowMicros).toString(),
                rules.revision,
                rules.list,
                rules.tier,
                rules.matches.stream().map(match -> item(match, rules)).toList(),
                regions(question, asked, verdict));
    }

    private List<RegionItem> regions(Question question, List<String> asked, RegionVerdict verdict) {
        Map<String, RegionQueryReply> replies = new HashMap<>();
        String reason = SILENT;
        if (!asked.isEmpty()) {
            try {
                Check check = question.check();
                RegionAnswers answers = queries.askCheck(
                        check.attributes(),
                        question.endpoint(),
                        check.method(),
                        new RegionQuery.Request(check.headers(), check.policies(), check.cost()),
                        question.region());
                answers.answers().forEach(reply -> replies.put(reply.region(), reply));
            } catch (RegionsUnavailableException unavailable) {
                reason = String.valueOf(unavailable.getMessage());
            }
        }
        List<RegionItem> items = new ArrayList<>();
        for (String region : asked) {
            items.add(verdict.of(region, replies.get(region), reason));
        }
        return items;
    }

    private static PolicyItem item(Matched match, Rules rules) {
        Policy policy = match.policy;
        LimitOverride override = rules.overrides.get(policy.id());
        return new PolicyItem(
                policy.id(),
                policy.name(),
                policy.revision().version(),
                policy.priority(),
                EnumNames.text(policy.coordination().scope()),
                EnumNames.text(policy.enforcement().action()),
                match.limit.isPresent(),
                match.regions,
                match.limit.map(Limit::key).orElse(null),
                match.limit.map(Limit::cost).orElse(null),
                override == null ? policy.limitSpec().limit() : override.limit(),
                override == null ? policy.limitSpec().burst() : override.burst(),
                policy.limitSpec().window().toString(),
                override == null ? null : item(override),
                match.mismatches.stream().map(CheckExplainer::item).toList());
    }

    private static OverrideUsed item(LimitOverride override) {
        return new OverrideUsed(
                override.identifier().type(),
                override.identifier().value(),
                override.limit(),
                override.burst(),
                end(override.expiry()));
    }

    private static MismatchItem item(Mismatch mismatch) {
        return new MismatchItem(
                EnumNames.text(mismatch.part()),
                mismatch.name().isEmpty() ? null : mismatch.name(),
                mismatch.expected(),
                mismatch.actual());
    }

    private static @Nullable String end(Expiry expiry) {
        return expiry.time().map(Instant::toString).orElse(null);
    }

    /** Result for one policy over the regions that are asked. */
    private record Matched(Policy policy, Optional<Limit> limit, List<String> regions, List<Mismatch> mismatches) {
        static Matched of(Policy policy, Check check, List<String> asked) {
            PolicyMatch anywhere = PolicyMatch.of(policy, check, Optional.empty());
            List<Mismatch> mismatches = new ArrayList<>(anywhere.mismatches());
            // Limiters apply to the tier unlimited only the policies that name it.
            if (check.tier().equals(Tier.UNLIMITED)
                    && policy.appliesTo().tiers().isEmpty()) {
                mismatches.add(new Mismatch(Part.TIER, "", List.of("a policy that names it"), check.tier()));
            }
            Set<String> own = policy.appliesTo().regions();
            List<String> regions = asked.stream()
                    .filter(region -> own.isEmpty() || own.contains(region))
                    .toList();
            if (regions.isEmpty() && !asked.isEmpty()) {
                mismatches.add(new Mismatch(Part.REGION, "", List.copyOf(own), String.join(", ", asked)));
            }
            boolean matched = mismatches.isEmpty();
            return new Matched(
                    policy, matched ? anywhere.limit() : Optional.empty(), matched ? regions : List.of(), mismatches);
        }
    }

    /** The part of the rules that concerns a check, read in one transaction. */
    private record Rules(
            long revision,
            @Nullable ListHit list,
            TierUsed tier,
            List<Matched> matches,
            Map<String, LimitOverride> overrides) {
        static Rules read(Session session, Check check, List<String> asked, long nowMicros) {
            ClientEntries client = ClientEntries.of(session, check, nowMicros);
            TierUsed tier = tier(session, client);
            Check tiered = check.withTier(tier.name() == null ? "" : tier.name());
            List<Matched> matches = EntryTables.read(
                            EntryKind.POLICY,
                            session.run(
                                    "SELECT " + EntryTables.COLUMNS + " FROM policy LIMIT $1",
                                    PolicyIndex.POLICIES_MAX))
                    .stream()
                    .map(stored -> ((RuleEntry.OfPolicy) stored.entry()).policy())
                    .sorted(EVALUATION)
                    .map(policy -> Matched.of(policy, tiered, asked))
                    .toList();
            List<Policy> matched = matches.stream()
                    .filter(match -> match.limit.isPresent())
                    .map(Matched::policy)
                    .toList();
            return new Rules(EntryTables.revision(session), list(client), tier, matches, client.overrides(matched));
        }

        /** The deny list goes before the allow list. */
        private static @Nullable ListHit list(ClientEntries client) {
            return client.listed(ListKind.DENY)
                    .map(line -> hit(RegionVerdict.DENY_LIST, line))
                    .or(() -> client.listed(ListKind.ALLOW).map(line -> hit("allow-list", line)))
                    .orElse(null);
        }

        private static ListHit hit(String list, ListEntry line) {
            return new ListHit(
                    list, line.identifier().type(), line.identifier().value(), line.reason(), end(line.expiry()));
        }

        private static TierUsed tier(Session session, ClientEntries client) {
            Optional<ClientTier> own = client.tier();
            if (own.isPresent()) {
                Identifier by = own.get().identifier();
                return new TierUsed(own.get().tier(), "client", by.type(), by.value());
            }
            return ClientEntries.defaultTier(session)
                    .map(name -> new TierUsed(name, "default", null, null))
                    .orElseGet(() -> new TierUsed(null, "none", null, null));
        }
    }
}
