package io.meridian.model.match;

import io.meridian.model.match.PolicySets.Alternatives;
import io.meridian.model.match.PolicySets.ByPivot;
import io.meridian.model.match.PolicySets.ByValue;
import io.meridian.model.policy.EndpointPattern;
import io.meridian.model.policy.KeySpec.KeyPart;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.Validator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The policies of one region, compiled and immutable: swapped whole when they change.
 *
 * <p>Every selecting part of a request (endpoint, method, tier, headers, attributes) yields a set of policies as bits;
 * their intersection, a word of 64 policies at a time, is what applies. So a match costs a few look-ups and some words
 * per 64 policies, and allocates only for what it finds.
 */
public final class PolicyIndex {
    /** Higher priorities first; the id makes the order total, so that every region evaluates alike. */
    private static final Comparator<Policy> EVALUATION =
            Comparator.comparingInt(Policy::priority).reversed().thenComparing(Policy::id);

    /** More policies than this are refused: a match looks at a word per 64 of them. */
    public static final int POLICIES_MAX = 10_000;

    private final List<Policy> policies;
    private final CompiledPolicy[] compiled;
    private final int words;
    private final EndpointTrie endpoints;
    private final ByValue methods;
    private final ByValue tiers;
    private final ByPivot headers;
    private final ByPivot attributes;

    private PolicyIndex(List<Policy> policies) {
        this.policies = policies;
        this.compiled = policies.stream().map(CompiledPolicy::new).toArray(CompiledPolicy[]::new);
        this.words = PolicySets.words(policies.size());
        this.endpoints = new EndpointTrie(words);
        this.methods = new ByValue(words);
        this.tiers = new ByValue(words);
        this.headers = new ByPivot(words);
        this.attributes = new ByPivot(words);
        for (int i = 0; i < policies.size(); i++) {
            index(policies.get(i), i);
        }
        endpoints.seal();
        methods.seal();
        tiers.seal();
        headers.seal();
        attributes.seal();
    }

    /** Compiles what is enabled and applies in {@code region}. */
    public static PolicyIndex compile(Collection<Policy> policies, String region) {
        Set<String> ids = new HashSet<>();
        Validator rules = new Validator()
                .require(
                        policies.size() <= POLICIES_MAX,
                        "policies",
                        policies.size(),
                        "must be at most " + POLICIES_MAX);
        policies.forEach(p -> rules.require(ids.add(p.id()), "id", p.id(), "must be of one policy only"));
        rules.throwIfInvalid();
        return new PolicyIndex(policies.stream()
                .filter(Policy::enabled)
                .filter(p -> p.appliesTo().regions().isEmpty()
                        || p.appliesTo().regions().contains(region))
                .sorted(EVALUATION)
                .toList());
    }

    private void index(Policy policy, int index) {
        List<EndpointPattern> patterns = policy.appliesTo().endpoints();
        if (patterns.isEmpty()) {
            endpoints.add(EndpointPattern.EVERYTHING, index);
        }
        patterns.forEach(pattern -> endpoints.add(pattern, index));
        methods.add(policy.appliesTo().methods(), index);
        tiers.add(policy.appliesTo().tiers(), index);
        policy.appliesTo().headers().entrySet().stream()
                .findFirst()
                .ifPresentOrElse(
                        header -> headers.add(header.getKey(), header.getValue(), index),
                        () -> headers.addUnconditional(index));
        policy.appliesTo().attributes().entrySet().stream()
                .findFirst()
                .ifPresentOrElse(
                        selected ->
                                selected.getValue().forEach(value -> attributes.add(selected.getKey(), value, index)),
                        () -> indexByKey(policy, index));
    }

    private void indexByKey(Policy policy, int index) {
        policy.key().parts().stream()
                .filter(part -> !(part instanceof KeyPart.Request))
                .findFirst()
                .ifPresentOrElse(
                        part -> attributes.add(part.attribute(), ByPivot.ANY, index),
                        () -> attributes.addUnconditional(index));
    }

    /** The policies of this region, in the order of evaluation. */
    public List<Policy> policies() {
        return policies;
    }

    /**
     * The limits that count a client by itself, in the order of evaluation: those whose key can be built and has an attribute
     * of the client in it, for its tier, and for the endpoint and the method where these are known. A new list, the caller's to
     * change. It looks at every policy, and is not for the path of a check.
     *
     * @param client with an empty method if it is not known
     * @param endpointKnown whether the check's endpoint is one, rather than none: else what counts by endpoint is left out
     */
    public List<Limit> ofClient(Check client, boolean endpointKnown) {
        List<Limit> limits = new ArrayList<>();
        for (CompiledPolicy each : compiled) {
            Limit limit = each.ofClient(client, endpointKnown);
            if (limit != null) {
                limits.add(limit);
            }
        }
        return limits;
    }

    /** The limits of a check, in the order of evaluation: a new list, the caller's to change. */
    public List<Limit> match(Check check) {
        Alternatives byEndpoint = new Alternatives();
        endpoints.find(check.segments(), byEndpoint);
        long[] byMethod = methods.get(check.method());
        long[] byTier = tiers.get(check.tier());
        Alternatives byHeader = new Alternatives();
        headers.find(check.headers(), byHeader);
        Alternatives byAttribute = new Alternatives();
        attributes.find(check.attributes(), byAttribute);

        List<Limit> limits = new ArrayList<>(4);
        for (int w = 0; w < words; w++) {
            long matched = byMethod[w] & byTier[w];
            matched &= matched == 0 ? 0 : byEndpoint.word(w) & byHeader.word(w) & byAttribute.word(w);
            while (matched != 0) {
                int index = w * Long.SIZE + Long.numberOfTrailingZeros(matched);
                matched &= matched - 1;
                Limit limit = compiled[index].limit(check);
                if (limit != null) {
                    limits.add(limit);
                }
            }
        }
        return limits;
    }
}
