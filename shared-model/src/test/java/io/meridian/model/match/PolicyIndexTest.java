package io.meridian.model.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.match.PolicyMatch.Mismatch;
import io.meridian.model.match.PolicyMatch.Part;
import io.meridian.model.policy.EndpointPath;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Selector;
import io.meridian.model.wire.PolicyJson;
import io.meridian.testkit.Histories;
import io.meridian.testkit.TestSeeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyIndexTest {
    private static final List<String> SEGMENTS = List.of("api", "v1", "users", "export", "x");
    private static final List<String> NAMES = List.of("user_id", "api_key", "tenant", "color");

    @ParameterizedTest
    @CsvSource({
        "/api/*, /api/v1/users, true",
        "/api/*, /api/v1, true",
        "/api/*, /api, false",
        "/api/*, /api/, false",
        "/api/*, /apis/v1, false",
        "/api/*/export, /api/v1/export, true",
        "/api/*/export, /api/v1/x/export, false",
        "/api/*/export, /api/export, false",
        "/api/v1/*, /api/v1/users/7, true",
        "/api/v1/users, /api/v1/users, true",
        "/api/v1/users, /api/v1/users/, true",
        "/api/v1/users, //api///v1/users, true",
        "/api/v1/users, /api/v1/users?page=2, true",
        "/api/v1/users, /api/v1/Users, false",
        "/, /, true",
        "/, /api, false",
        "*, /anything/at/all, true",
        "*, /, true",
        "/*, /api/v1, true",
        "/*/*, /api, false",
        "/*/*, /api/v1/users, true",
        "/api/export, /api/%65xport, true",
        "/api/export, /api/./export, true",
        "/api/export, /x/../api/export, true",
        "/api/export, /../../api/export, true",
        "/api/export, /x/%2E%2e/api/export, true",
        "/api/export, /api/export;v=1, true",
        "/api/export, /api;a=b/export;v=1/, true",
        "/api/export, /api%2Fexport, false",
        "/api%2fexport, /api%2Fexport, true",
        "/api/100%, /api/100%, true",
        "/api/%zz, /api/%zz, true"
    })
    void a_pattern_matches_by_segment(String pattern, String endpoint, boolean matches) {
        Policy policy = policy("p", "\"applies_to\": {\"endpoints\": [\"" + pattern + "\"]}");

        assertThat(ids(List.of(policy), check(endpoint, "GET", Map.of(), ""))).hasSize(matches ? 1 : 0);
        assertThat(policy.appliesTo().endpoints().get(0).matches(EndpointPath.segments(endpoint)))
                .isEqualTo(matches);
    }

    @Test
    void of_the_policies_that_a_check_names_those_apply_that_match() {
        List<Policy> policies = List.of(
                policy("first", "\"priority\": 2"),
                policy("second", "\"priority\": 1"),
                policy("third", "\"priority\": 0"),
                policy("posts", "\"applies_to\": {\"methods\": [\"POST\"]}"),
                policy("off", "\"enabled\": false"));
        PolicyIndex snapshot = PolicyIndex.compile(policies, "us-east");

        assertThat(named(snapshot, List.of("third", "first"))).containsExactly("first", "third");
        assertThat(named(snapshot, List.of("second", "posts", "off", "unknown")))
                .containsExactly("second");
        assertThat(named(snapshot, List.of("posts"))).isEmpty();
        assertThat(named(snapshot, List.of())).containsExactly("first", "second", "third");
    }

    private static List<String> named(PolicyIndex snapshot, List<String> names) {
        Check check = new Check(Map.of("user_id", "42"), "/", "GET", Map.of(), "", 1, names);
        return snapshot.match(check).stream().map(limit -> limit.policy().id()).toList();
    }

    @Test
    void every_part_must_match_and_an_empty_part_matches_everything() {
        List<Policy> policies = List.of(
                policy("all", "\"priority\": 1"),
                policy("get", "\"applies_to\": {\"methods\": [\"get\", \"HEAD\"]}"),
                policy("free", "\"applies_to\": {\"tiers\": [\"free\"]}"),
                policy("beta", "\"applies_to\": {\"headers\": {\"X-Plan\": \"beta\", \"x-more\": \"1\"}}"),
                policy("west", "\"applies_to\": {\"regions\": [\"us-west\"]}"),
                policy("off", "\"enabled\": false"),
                policy("acme", "\"applies_to\": {\"attributes\": {\"tenant\": [\"acme\"]}}"),
                policy(
                        "forty-two",
                        "\"applies_to\": {\"attributes\": {\"user_id\": [\"41\", \"42\"]}}, \"priority\": -1"),
                policy("tenant", "\"key\": [\"tenant\"]"));

        assertThat(ids(policies, check("/", "GET", Map.of(), "free")))
                .containsExactly("all", "free", "get", "forty-two");
        assertThat(ids(policies, check("/", "POST", Map.of("x-plan", "beta"), "pro")))
                .containsExactly("all", "forty-two");
        assertThat(ids(policies, check("/", "POST", Map.of("X-PLAN", "beta", "X-More", "1"), "pro")))
                .containsExactly("all", "beta", "forty-two");
    }

    @Test
    void a_comparison_names_every_part_that_is_not_met_with_what_it_wants_and_what_it_got() {
        Policy policy = policy("strict", """
                "key": ["tenant", "method"], "enabled": false, "applies_to": {"endpoints": ["/a/*"], "methods": ["PUT"],
                 "tiers": ["pro"], "headers": {"x-plan": "beta"}, "attributes": {"user_id": ["1", "2"]}, "regions": ["eu"]}""");
        Check check = new Check(Map.of("user_id", "42"), "/b", "", Map.of("X-Plan", "alpha"), "", 1, List.of("other"));

        PolicyMatch match = PolicyMatch.of(policy, check, Optional.of("us"));

        assertThat(match.limit()).isEmpty();
        assertThat(match.mismatches())
                .containsExactly(
                        new Mismatch(Part.DISABLED, "", List.of("true"), "false"),
                        new Mismatch(Part.REGION, "", List.of("eu"), "us"),
                        new Mismatch(Part.NAMED, "", List.of("other"), "strict"),
                        new Mismatch(Part.ENDPOINT, "", List.of("/a/*"), "/b"),
                        new Mismatch(Part.METHOD, "", List.of("PUT"), null),
                        new Mismatch(Part.TIER, "", List.of("pro"), null),
                        new Mismatch(Part.HEADER, "x-plan", List.of("beta"), "alpha"),
                        new Mismatch(Part.ATTRIBUTE, "user_id", List.of("1", "2"), "42"),
                        new Mismatch(Part.KEY, "tenant", List.of(), null),
                        new Mismatch(Part.KEY, "method", List.of(), null));
        assertThat(PolicyMatch.of(policy, check, Optional.empty()).mismatches())
                .extracting(Mismatch::part)
                .doesNotContain(Part.REGION);
    }

    @Test
    void higher_priorities_come_first_and_ids_break_ties() {
        List<Policy> policies = List.of(
                policy("b", "\"priority\": 5"),
                policy("a", "\"priority\": 5"),
                policy("z", "\"priority\": 9"),
                policy("c", "\"priority\": -1"));

        assertThat(ids(policies, check("/", "GET", Map.of(), ""))).containsExactly("z", "a", "b", "c");
    }

    @Test
    void an_endpoint_may_have_its_own_cost() {
        Policy policy = policy(
                "p",
                "\"cost\": 2, \"endpoint_costs\": ["
                        + "{\"endpoint\": \"/export\", \"method\": \"POST\", \"cost\": 10}, {\"endpoint\": \"/bulk/*\", \"cost\": 5}]");
        PolicyIndex snapshot = PolicyIndex.compile(List.of(policy), "us-east");

        assertThat(snapshot.match(check("/export", "POST", Map.of(), "")).get(0).cost())
                .isEqualTo(30);
        assertThat(snapshot.match(check("/export", "GET", Map.of(), "")).get(0).cost())
                .isEqualTo(6);
        assertThat(snapshot.match(check("/bulk/a", "GET", Map.of(), "")).get(0).cost())
                .isEqualTo(15);
    }

    @Test
    void two_policies_of_one_id_would_share_a_counter_and_are_refused() {
        List<Policy> twins = List.of(policy("a", "\"priority\": 1"), policy("a", "\"priority\": 2"));

        assertThatThrownBy(() -> PolicyIndex.compile(twins, "us-east"))
                .hasMessage("id must be of one policy only, got a");
    }

    @Test
    void more_policies_than_the_bound_are_refused() {
        Policy policy = policy("a", "\"priority\": 1");

        assertThatThrownBy(() -> PolicyIndex.compile(Collections.nCopies(10_001, policy), "us-east"))
                .hasMessageContaining("policies must be at most 10000, got 10001");
    }

    @Test
    void nothing_matches_an_empty_snapshot() {
        assertThat(PolicyIndex.compile(List.of(), "us-east").match(check("/", "GET", Map.of(), "")))
                .isEmpty();
    }

    /** The oracle looks at every policy by itself. */
    @Test
    void the_compiled_snapshot_finds_what_a_look_at_every_policy_finds() {
        everySnapshotAgrees(Histories.TODAY, policies -> PolicyIndex.compile(policies, "us-east"));
    }

    @Test
    void a_snapshot_that_looks_at_the_first_64_policies_only_is_caught() {
        assertThatThrownBy(() -> everySnapshotAgrees(
                        Histories.KNOWN,
                        policies -> PolicyIndex.compile(
                                PolicyIndex.compile(policies, "us-east").policies().stream()
                                        .limit(64)
                                        .toList(),
                                "us-east")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("replays");
    }

    private static void everySnapshotAgrees(Histories histories, Function<List<Policy>, PolicyIndex> compiler) {
        List<Policy> pool = new ArrayList<>();
        // The same every day, so that a seed alone repeats a failure.
        SplittableRandom chance = new SplittableRandom(TestSeeds.KNOWN);
        for (int i = 0; i < 2_000; i++) {
            pool.add(randomPolicy(chance, i));
        }
        histories.forEach(random -> {
            int from = random.nextInt(1_800);
            List<Policy> policies = pool.subList(from, from + random.nextInt(200));
            Check check = randomCheck(random);
            for (Policy policy : policies) {
                PolicyMatch match = PolicyMatch.of(policy, check, Optional.of("us-east"));
                assertThat(match.limit().isPresent()).as(policy.id()).isEqualTo(applies(policy, check));
                assertThat(match.mismatches().isEmpty()).isEqualTo(match.limit().isPresent());
            }
            assertThat(compiler.apply(policies).match(check).stream()
                            .map(limit -> limit.policy().id())
                            .toList())
                    .isEqualTo(policies.stream()
                            .filter(policy -> applies(policy, check))
                            .sorted(Comparator.comparingInt((Policy p) -> -p.priority())
                                    .thenComparing(Policy::id))
                            .map(Policy::id)
                            .toList());
        });
    }

    private static boolean applies(Policy policy, Check check) {
        Selector selector = policy.appliesTo();
        boolean endpoint = selector.endpoints().isEmpty()
                || selector.endpoints().stream().anyMatch(p -> matches(p.text(), EndpointPath.text(check.segments())));
        boolean keyed = policy.key().parts().stream()
                .allMatch(part -> check.attributes().containsKey(part.attribute()));
        return policy.enabled()
                && keyed
                && endpoint
                && (selector.methods().isEmpty() || selector.methods().contains(check.method()))
                && (selector.tiers().isEmpty() || selector.tiers().contains(check.tier()))
                && (selector.regions().isEmpty() || selector.regions().contains("us-east"))
                && selector.attributes().entrySet().stream().allMatch(each -> each.getValue()
                        .contains(check.attributes().getOrDefault(each.getKey(), "none")))
                && check.headers().entrySet().containsAll(selector.headers().entrySet());
    }

    /** The pattern as a regular expression, a way of its own to the same answer. */
    private static boolean matches(String pattern, String path) {
        if (pattern.equals("*")) {
            return true;
        }
        boolean open = pattern.endsWith("/*");
        String closed = open ? pattern.substring(0, pattern.length() - 2) : pattern;
        return path.matches(closed.replace("*", "[^/]+") + (open ? "(/[^/]+)+" : ""));
    }

    private static Policy randomPolicy(SplittableRandom random, int number) {
        StringBuilder pattern = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            pattern.append('/').append(random.nextInt(4) == 0 ? "*" : pick(SEGMENTS, random));
        }
        String methods = random.nextBoolean() ? "" : "\"methods\": [\"" + pick(List.of("GET", "PUT"), random) + "\"],";
        String tiers = random.nextBoolean() ? "" : "\"tiers\": [\"" + pick(List.of("free", "pro"), random) + "\"],";
        String regions =
                random.nextInt(4) > 0 ? "" : "\"regions\": [\"" + pick(List.of("us-east", "eu-west"), random) + "\"],";
        String headers =
                switch (random.nextInt(3)) {
                    case 0 -> "\"headers\": {\"h1\": \"a\", \"h2\": \"b\"},";
                    case 1 -> "\"headers\": {\"h2\": \"" + pick(List.of("a", "b"), random) + "\"},";
                    default -> "";
                };
        String attributes =
                switch (random.nextInt(4)) {
                    case 0 -> "\"attributes\": {\"tenant\": [\"v\"]},";
                    case 1 -> "\"attributes\": {\"user_id\": [\"w\", \"v\"], \"color\": [\"w\"]},";
                    default -> "";
                };
        String key =
                switch (random.nextInt(3)) {
                    case 0 -> "";
                    case 1 -> "\"" + pick(NAMES, random) + "\"";
                    default -> "\"tenant\", \"color\"";
                };
        return policy(
                "p" + number,
                "\"key\": [" + key + "], \"enabled\": " + (random.nextInt(8) > 0) + ", \"priority\": "
                        + random.nextInt(3) + ", \"applies_to\": {" + methods + tiers + regions + headers + attributes
                        + "\"endpoints\": [" + endpoints(pattern.toString(), random) + "]}");
    }

    private static String endpoints(String pattern, SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> "\"*\"";
            case 2 -> "\"" + pattern + "\", \"/api/*\"";
            default -> "\"" + pattern + "\"";
        };
    }

    private static Check randomCheck(SplittableRandom random) {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(4);
        for (int i = 0; i < depth; i++) {
            path.append('/').append(pick(SEGMENTS, random));
        }
        Map<String, String> attributes = new HashMap<>();
        NAMES.forEach(name -> {
            if (random.nextBoolean()) {
                attributes.put(name, pick(List.of("v", "v", "w"), random));
            }
        });
        Map<String, String> headers = new HashMap<>();
        for (String name : List.of("h1", "h2", "h3")) {
            if (random.nextBoolean()) {
                headers.put(name, pick(List.of("a", "b"), random));
            }
        }
        String tier = pick(List.of("free", "pro", ""), random);
        return new Check(attributes, path.toString(), pick(List.of("GET", "PUT", ""), random), headers, tier, 1);
    }

    private static String pick(List<String> values, SplittableRandom random) {
        return values.get(random.nextInt(values.size()));
    }

    private static List<String> ids(List<Policy> policies, Check check) {
        return PolicyIndex.compile(policies, "us-east").match(check).stream()
                .map(limit -> limit.policy().id())
                .toList();
    }

    private static Check check(String endpoint, String method, Map<String, String> headers, String tier) {
        return new Check(Map.of("user_id", "42"), endpoint, method, headers, tier, 3);
    }

    private static Policy policy(String id, String extra) {
        String key = extra.contains("\"key\"") ? "" : "\"key\": [\"user_id\"], ";
        return PolicyJson.read("{\"id\": \"" + id + "\", " + key
                + "\"algorithm\": \"fixed_window\", \"limit\": 10, \"window\": \"1m\", " + extra + "}");
    }
}
