package io.meridian.stacktests.operate;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.AdminPolicies;
import io.meridian.stack.StackState;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StateFolder;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Folders;
import io.meridian.stacktests.stack.MeridianCommand;
import io.meridian.stacktests.stack.MeridianCommand.Answer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Dashboards and rules on a stack of six regions, observed by a real Prometheus where one is installed. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class ObservedStackIT {
    private static final String SIXTH = "sa-east";
    /** Three dashboards cannot do with fewer. */
    private static final int QUERIES_MIN = 20;

    private static final Duration DATA_WITHIN = Duration.ofMinutes(3);

    private final StateFolder folder = new StateFolder(Folders.temporary("operated"));
    private StackState stack;
    private String token;

    @BeforeAll
    void start() throws Exception {
        Answer up = new MeridianCommand(folder.root())
                .run("up", "--detach", "--ports-from=0", "--observe", "--add-region=" + SIXTH);
        assertThat(up.code()).as(up.output()).isZero();
        stack = StackState.read(folder).orElseThrow();
        token = Files.readString(folder.adminToken()).strip();
    }

    @AfterAll
    void takeDown() throws Exception {
        Answer down = new MeridianCommand(folder.root()).run("down");
        Folders.delete(folder.root());
        assertThat(down.code()).as(down.output()).isZero();
    }

    @Test
    void every_query_of_the_dashboards_returns_data_under_load_and_every_rule_is_evaluated() throws Exception {
        assumeThat(Executables.onPath(PartNames.PROMETHEUS))
                .as("SKIPPED: there is no prometheus on the PATH, so no query was asked")
                .isPresent();
        Prometheus prometheus = new Prometheus(part(PartNames.PROMETHEUS).address());
        AdminPolicies admin = admin(stack.regions());
        List<Subject> subjects = List.of(
                subject("observed-regional", Subject.Sharing.REGIONAL, 1_000_000, Duration.ofSeconds(10)),
                subject("observed-converge", Subject.Sharing.CONVERGE, 1_000_000, Duration.ofSeconds(60)),
                subject("observed-escrow", Subject.Sharing.ESCROW, 1_000_000, Duration.ofHours(1)),
                subject("observed-denied", Subject.Sharing.REGIONAL, 1, Duration.ofSeconds(60)));
        for (Subject each : subjects) {
            admin.create(each);
        }
        eventually("all regions have the policies").until(() -> admin.laggards().isEmpty());
        List<String> limiters = stack.regions().stream()
                .map(region -> part(PartNames.limiter(region, 1)).address())
                .toList();

        try (Trickle load = Trickle.on(limiters, subjects)) {
            requireData(prometheus, Dashboards.queries(variables()));
            eventually("every rule is evaluated")
                    .until(() -> prometheus.ailingRules().isEmpty());
            assertThat(load).isNotNull();
        }
    }

    private static void requireData(Prometheus prometheus, List<Dashboards.Query> queries) throws Exception {
        assertThat(queries).hasSizeGreaterThan(QUERIES_MIN);
        Set<Dashboards.Query> empty = new HashSet<>(queries);
        try {
            eventually("every query has data").atMost(DATA_WITHIN).until(() -> {
                for (Dashboards.Query each : Set.copyOf(empty)) {
                    if (prometheus.hasData(each.expression())) {
                        empty.remove(each);
                    }
                }
                return empty.isEmpty();
            });
        } catch (AssertionError late) {
            throw new AssertionError("no data for " + empty, late);
        }
    }

    private static Map<String, String> variables() {
        return Map.of(
                "region", SIXTH,
                "policy", "observed-escrow",
                "instance", ".+",
                "__rate_interval", "30s",
                "__interval", "30s",
                "__range", "5m");
    }

    private AdminPolicies admin(List<String> regions) {
        return new AdminPolicies(part(PartNames.CONFIG_SERVICE).address(), token, Set.copyOf(regions));
    }

    private PartState part(String name) {
        return stack.parts().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Subject subject(String id, Subject.Sharing sharing, long limit, Duration window) {
        return new Subject(id, "user_id=42", sharing, limit, window);
    }
}
