package io.meridian.stacktests.global;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Subject.Sharing;
import io.meridian.drill.load.CheckClient.CheckRequest;
import io.meridian.drill.targets.AdminPolicies;
import io.meridian.drill.targets.HttpCalls;
import io.meridian.drill.targets.UsageTopic;
import io.meridian.stacktests.stack.SharedStack;
import io.meridian.stacktests.stack.TestStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Limits of a whole stack while all links are up, driven by counts: in a window that does not end, checks go on until the limit is spent
 * and every region has refused ten times. Delays and shares over time are asserted in virtual time by the simulation, and printed on
 * real processes by {@code ./meridian bench global}.
 */
@ExtendWith(SharedStack.class)
@ResourceLock(SharedStack.LOCK)
@Timeout(900)
class GlobalLimitsIT {
    private static final long LIMIT = 300;
    /** Of one length and so long that no test sees its end. */
    private static final Duration WINDOW = Duration.ofDays(31);

    private final TestStack stack;
    private final List<Spending> opened = new ArrayList<>();

    GlobalLimitsIT(TestStack stack) {
        this.stack = stack;
    }

    @Test
    void a_regional_limit_is_admitted_to_the_unit_in_every_region() throws Exception {
        Subject subject = stack.create("regional", Sharing.REGIONAL, LIMIT, WINDOW);
        Spending spending = spending(subject);

        spending.spend(TestStack.REGIONS, LIMIT * TestStack.REGIONS.size());

        for (String region : TestStack.REGIONS) {
            assertThat(spending.admitted(region)).as("%s", spending).isEqualTo(LIMIT);
        }
    }

    @Test
    void a_converging_limit_keeps_its_bound_is_reported_to_the_unit_and_admits_again_when_it_is_raised()
            throws Exception {
        Subject subject = stack.create("converge", Sharing.CONVERGE, LIMIT, WINDOW);
        Spending spending = spending(subject);

        spending.spendEverywhere();

        tell(spending);
        for (String region : TestStack.REGIONS) {
            assertThat(spending.admitted(region)).as("%s", spending).isLessThanOrEqualTo(LIMIT);
        }
        awaitReported(subject, spending);

        long raised = spending.total() + LIMIT;
        changeLimit(subject, raised);
        for (String region : TestStack.REGIONS) {
            eventually(region + " admits again").until(() -> spending.check(region));
        }
        spending.spend(TestStack.REGIONS, raised);
        tell(spending);
        awaitReported(subject, spending);
    }

    @Test
    void a_converging_limit_that_one_region_used_up_is_refused_by_the_others_once_they_know() throws Exception {
        Subject subject = stack.create("converge-one", Sharing.CONVERGE, LIMIT, WINDOW);
        Spending spending = spending(subject);
        for (String region : TestStack.REGIONS) {
            assertThat(spending.check(region)).isTrue();
        }
        eventually("ap-south knows of the others' use")
                .until(() -> remaining("ap-south", subject) == LIMIT - TestStack.REGIONS.size());

        spending.spend(List.of("ap-south"), LIMIT);
        for (String region : TestStack.REGIONS) {
            eventually(region + " knows that nothing is left").until(() -> remaining(region, subject) == 0);
        }
        long known = spending.total();
        for (String region : TestStack.REGIONS) {
            for (int i = 0; i < 10; i++) {
                assertThat(spending.check(region)).as("%s", spending).isFalse();
            }
        }

        assertThat(spending.total()).isEqualTo(known).isEqualTo(LIMIT);
        awaitReported(subject, spending);
    }

    @Test
    void an_escrow_limit_is_spent_to_the_unit_wherever_the_demand_is_and_is_reported_so() throws Exception {
        Subject subject = stack.create("escrow", Sharing.ESCROW, LIMIT, WINDOW);
        Spending spending = spending(subject);
        // The demand moves: each region in turn takes a fifth of the limit alone.
        for (String region : TestStack.REGIONS) {
            long enough = spending.total() + LIMIT / 5;
            eventually("a fifth is admitted in " + region).until(() -> {
                spending.check(region);
                return spending.total() >= enough;
            });
        }

        spending.spendEverywhere();

        tell(spending);
        assertThat(spending.total()).as("%s", spending).isEqualTo(LIMIT);
        awaitReported(subject, spending);
    }

    /** Closed after the test. */
    private Spending spending(Subject subject) throws Exception {
        Map<String, List<String>> limiters = new LinkedHashMap<>();
        for (String region : TestStack.REGIONS) {
            limiters.put(region, stack.limiters(region));
        }
        Spending spending = new Spending(subject, limiters);
        opened.add(spending);
        return spending;
    }

    @AfterEach
    void closeClients() {
        opened.forEach(Spending::close);
    }

    private static void tell(Spending spending) {
        System.out.println("[global] " + spending);
    }

    /** What an instance leased and did not spend comes back first, so the report may be above the truth for a while. */
    private void awaitReported(Subject subject, Spending spending) throws Exception {
        try (UsageTopic usage = stack.usage()) {
            for (String region : TestStack.REGIONS) {
                eventually("%s has reported %d of %s".formatted(region, spending.admitted(region), subject.policy()))
                        .until(() ->
                                usage.of(subject, spending.windowEndMicros()).of(region) == spending.admitted(region));
            }
        }
    }

    private void changeLimit(Subject subject, long limit) throws Exception {
        AdminPolicies admin = stack.policies();
        HttpCalls.call(HttpCalls.to(admin.configService() + "/admin/api/v1/policies/" + subject.policy())
                .header("Authorization", "Bearer " + admin.token())
                .header("Content-Type", "application/json")
                .method("PATCH", HttpCalls.text("{\"limit\": " + limit + "}")));
    }

    /** The most that any limiter of the region says is left. */
    private long remaining(String region, Subject subject) throws Exception {
        List<Long> remaining = new ArrayList<>();
        for (String limiter : stack.limiters(region)) {
            remaining.add(
                    HttpCalls.json(HttpCalls.to(limiter + "/api/v1/rate-limit/status?user_id=42&method=GET&endpoint="
                                            + CheckRequest.endpoint(subject))
                                    .GET())
                            .path("limits")
                            .path(0)
                            .path("remaining")
                            .asLong(-1));
        }
        return remaining.stream().mapToLong(Long::longValue).max().orElse(-1);
    }
}
