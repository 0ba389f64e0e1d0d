package io.meridian.stacktests.global;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.AdminPolicies;
import io.meridian.stack.StackState;
import io.meridian.stack.plan.PartNames;
import io.meridian.stacktests.stack.TestStack;
import io.meridian.testkit.servers.RedisUnderTest;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A region that operators add to a running deployment as docs/runbook.md says: a Redis and a limiter, and nothing else. */
@Timeout(900)
class AddedRegionIT {
    private static final String ADDED = "af-south";
    private static final long LIMIT = 60;

    private static TestStack stack;

    @BeforeAll
    static void start() throws Exception {
        stack = TestStack.start("added-region");
    }

    @AfterAll
    static void stop() throws Exception {
        stack.close();
    }

    @Test
    void a_region_that_is_added_by_settings_only_shares_the_limits_of_all_others_which_go_on() throws Exception {
        StackState before = stack.state();
        Subject subject = stack.create("added-region", Subject.Sharing.ESCROW, LIMIT, Duration.ofDays(31));

        try (RedisUnderTest redis = RedisUnderTest.start();
                LimiterInstances added = LimiterInstances.start(1, settings(redis))) {
            AdminPolicies policies = stack.policies(Set.of(ADDED));
            eventually("config-service knows the new region")
                    .until(() -> policies.laggards().isEmpty());
            Map<String, List<String>> limiters = new LinkedHashMap<>();
            limiters.put("eu-west", stack.limiters("eu-west"));
            limiters.put("ap-south", stack.limiters("ap-south"));
            limiters.put(ADDED, List.of(added.get(0).uri("").toString()));
            try (Spending spending = new Spending(subject, limiters)) {
                for (String region : limiters.keySet()) {
                    eventually(region + " admits").until(() -> spending.check(region));
                }

                spending.spendEverywhere();

                assertThat(spending.total()).as("%s", spending).isEqualTo(LIMIT);
            }
            assertThat(stack.state().parts()).as("nothing was started again").isEqualTo(before.parts());
            assertThat(before.parts()).allMatch(each -> each.process().isAlive());
        }
    }

    private LimiterSettings settings(RedisUnderTest redis) throws Exception {
        return LimiterSettings.ofRegion(ADDED)
                .with("meridian.limiter.instance", "limiter-" + ADDED)
                .with("meridian.limiter.policies.source", "topic")
                .with("meridian.keys.secret", stack.keySecret())
                .withRedis(redis.url())
                .withKafka(stack.part(PartNames.KAFKA).address());
    }
}
