package io.meridian.config.rules;

import io.meridian.config.database.Database.Session;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.model.policy.KeySpec.KeyPart;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Selector;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.vertx.mutiny.sqlclient.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Check of the names in changed policies that nothing has, so that the policy can never match. Unknown tiers and regions are
 * refused unless allowed, all others give a warning. Tiers are looked up in the database.
 */
record NameCheck(Session session, List<EntryOutcome> outcomes, KnownNames names) {
    /** Bound on the warnings of one set of changes; the rest is counted. */
    static final int WARNINGS_MAX = 100;

    private static final int NAMES_SHOWN_MAX = 20;
    private static final String NAMING = """
            SELECT id FROM policy WHERE jsonb_exists_any(document #> '{applies_to,tiers}', $1::text[])
                AND NOT id = ANY($2::text[]) ORDER BY id LIMIT $3""";
    private static final Set<String> METHODS = Set.of(
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "QUERY",
            "PROPFIND",
            "PROPPATCH",
            "MKCOL",
            "COPY",
            "MOVE",
            "LOCK",
            "UNLOCK",
            "REPORT",
            "SEARCH");

    /** The warnings; fails with an {@link ValidationException} if names are refused. */
    List<String> check() {
        if (names.equals(KnownNames.UNCHECKED)) {
            return List.of();
        }
        Findings findings = new Findings(names, tiers(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < outcomes.size(); i++) {
            String place = "changes[" + i + "].";
            outcomes.get(i).after().ifPresent(after -> {
                if (after.entry() instanceof RuleEntry.OfPolicy of) {
                    findings.look(of.policy(), place);
                }
            });
        }
        if (!findings.refused.isEmpty()) {
            throw new ValidationException(findings.refused);
        }
        warnOfDeletedTiers(findings.warnings);
        return bounded(findings.warnings);
    }

    private static List<String> bounded(List<String> warnings) {
        if (warnings.size() <= WARNINGS_MAX) {
            return warnings;
        }
        List<String> first = new ArrayList<>(warnings.subList(0, WARNINGS_MAX));
        first.add("and " + (warnings.size() - WARNINGS_MAX) + " more warnings");
        return first;
    }

    /** Unchanged policies may name a tier that is deleted. */
    private void warnOfDeletedTiers(List<String> warnings) {
        String[] deleted = outcomes.stream()
                .filter(outcome -> outcome.effect() == Effect.DELETED && outcome.key() instanceof RuleEntry.Key.OfTier)
                .map(outcome -> EntryKind.id(outcome.key()))
                .toArray(String[]::new);
        if (deleted.length == 0) {
            return;
        }
        String[] changed = outcomes.stream()
                .filter(outcome -> outcome.key() instanceof RuleEntry.Key.OfPolicy)
                .map(outcome -> EntryKind.id(outcome.key()))
                .toArray(String[]::new);
        for (Row row : session.run(NAMING, deleted, changed, WARNINGS_MAX + 1)) {
            warnings.add("policy " + row.getString("id") + ": applies_to.tiers names a tier that is deleted");
        }
    }

    /** Those of the named tiers that exist after the changes. */
    private Set<String> tiers() {
        Set<String> named = new LinkedHashSet<>();
        for (EntryOutcome outcome : outcomes) {
            outcome.after().ifPresent(after -> {
                if (after.entry() instanceof RuleEntry.OfPolicy of) {
                    named.addAll(of.policy().appliesTo().tiers());
                }
            });
        }
        Set<String> tiers = new HashSet<>();
        if (!named.isEmpty()) {
            for (Row row :
                    session.run("SELECT id FROM tier WHERE id = ANY($1)", (Object) named.toArray(String[]::new))) {
                tiers.add(row.getString("id"));
            }
        }
        for (EntryOutcome outcome : outcomes) {
            if (outcome.key() instanceof RuleEntry.Key.OfTier tier) {
                if (outcome.after().isPresent()) {
                    tiers.add(tier.name());
                } else {
                    tiers.remove(tier.name());
                }
            }
        }
        return tiers;
    }

    /** Refused names and warnings, policy by policy. Pure. */
    record Findings(KnownNames names, Set<String> tiers, List<FieldError> refused, List<String> warnings) {
        void look(Policy policy, String place) {
            Selector selector = policy.appliesTo();
            lookAt(policy, place, "applies_to.tiers", "tier", selector.tiers(), tiers, "");
            if (!selector.regions().isEmpty() && names.regions().isEmpty()) {
                warn(policy, "applies_to.regions cannot be checked: no region has been heard of yet");
            } else {
                Set<String> regions = names.regions();
                lookAt(policy, place, "applies_to.regions", "region", selector.regions(), regions, there(regions));
            }
            for (KeyPart part : policy.key().parts()) {
                if (part instanceof KeyPart.Attribute own) {
                    lookAt(policy, "key", own.attribute());
                }
            }
            selector.attributes().keySet().forEach(name -> lookAt(policy, "applies_to.attributes", name));
            for (String method : selector.methods()) {
                if (!METHODS.contains(method)) {
                    warn(policy, "applies_to.methods names " + method + ", which is no usual HTTP method");
                }
            }
        }

        private void lookAt(
                Policy policy,
                String place,
                String field,
                String what,
                Set<String> selected,
                Set<String> known,
                String there) {
            List<String> unknown =
                    selected.stream().filter(name -> !known.contains(name)).toList();
            String then = unknown.size() == selected.size() ? ": the policy matches no check until there is" : "";
            for (String name : unknown) {
                if (names.allowUnknown()) {
                    warn(policy, field + " names " + name + ", and there is no such " + what + then);
                } else {
                    refused.add(new FieldError(
                            place + field,
                            name,
                            "must be a " + what + " that exists" + there + "; allow_unknown=true takes others"));
                }
            }
        }

        private static String there(Set<String> known) {
            return " (" + shown(known) + ")";
        }

        private void lookAt(Policy policy, String field, String attribute) {
            Set<String> known = names.attributes();
            if (!known.isEmpty() && !known.contains(attribute)) {
                String meant = KnownNames.nearest(attribute, known)
                        .map(name -> "; is " + name + " meant?")
                        .orElse("");
                warn(
                        policy,
                        field + " names the attribute " + attribute + ", which is none of " + shown(known)
                                + ": the policy matches no check that lacks it" + meant);
            }
        }

        private void warn(Policy policy, String text) {
            warnings.add("policy " + policy.id() + ": " + text);
        }

        private static String shown(Set<String> names) {
            String first = String.join(
                    ", ", new TreeSet<>(names).stream().limit(NAMES_SHOWN_MAX).toList());
            return names.size() > NAMES_SHOWN_MAX ? first + ", …" : first;
        }
    }
}
