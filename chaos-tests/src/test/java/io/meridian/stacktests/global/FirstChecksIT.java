package io.meridian.stacktests.global;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.definition.NetworkFault;
import io.meridian.drill.history.InjectedFault.Direction;
import io.meridian.drill.history.InjectedFault.LinkAction;
import io.meridian.drill.targets.DrillTarget.Links;
import io.meridian.drill.targets.HttpCalls;
import io.meridian.drill.targets.LocalTarget;
import io.meridian.model.match.LimitKeys;
import io.meridian.stack.plan.PartNames;
import io.meridian.stacktests.stack.SharedStack;
import io.meridian.stacktests.stack.TestStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that a region has never seen, on a whole stack: limits that another region has used up, and bursts of first checks. */
@ExtendWith(SharedStack.class)
@ResourceLock(SharedStack.LOCK)
@Timeout(900)
class FirstChecksIT {
    private static final int KEYS = 100;
    private static final long LIMIT = 20;
    /** So long that no test sees its end. */
    private static final String ENDLESS = "31d";

    private static final long FLOOR_LIMIT = 1_000;
    /** Half of a limit is divided among eight regions. */
    private static final long FLOOR_PARTS = 16;

    /** As the local stack is set up. */
    private static final int PARTITIONS = 16;

    private static final long GRANT_WAIT_MILLIS = 500;
    private static final String FIRST = TestStack.REGIONS.get(0);
    private static final List<String> OTHERS = TestStack.REGIONS.subList(1, TestStack.REGIONS.size());

    private final TestStack stack;

    FirstChecksIT(TestStack stack) {
        this.stack = stack;
    }

    /**
     * A region's first contact with a key must not come before the verdict on it, and asking the region would be that contact. So other keys
     * of the same partitions, which every region has met, are used up later, twice: whoever knows of the second knows of all before.
     */
    @ParameterizedTest
    @ValueSource(strings = {"fixed_window", "sliding_window_counter", "token_bucket", "gcra"})
    void a_limit_that_one_region_used_up_is_refused_by_regions_that_never_met_the_key(String algorithm)
            throws Exception {
        String policy = "cold-" + algorithm.replace('_', '-');
        create(policy, algorithm, "converge", LIMIT, ENDLESS);
        KeyClient first = client(FIRST, policy);
        for (int key = 0; key < KEYS; key++) {
            assertThat(first.check("key-" + key, LIMIT).get().allowed()).isTrue();
        }
        for (int round = 0; round < 2; round++) {
            awaitKnown(policy, "seen-" + round + "-");
        }

        List<String> admitted = new ArrayList<>();
        for (String region : OTHERS) {
            KeyClient client = client(region, policy);
            for (int key = 0; key < KEYS; key++) {
                if (client.check("key-" + key, 1).get().allowed()) {
                    admitted.add("key-" + key + " in " + region);
                }
            }
        }
        assertThat(admitted)
                .as("admitted again by a region that never met the key")
                .isEmpty();
    }

    /** Uses up one key of every partition, and returns when every region refuses it. */
    private void awaitKnown(String policy, String prefix) throws Exception {
        Set<Integer> partitions = new TreeSet<>();
        LimitKeys keys = stack.keys();
        List<String> users = IntStream.range(0, 10_000)
                .mapToObj(each -> prefix + each)
                .filter(user ->
                        partitions.add(keys.shard(policy, "user_id=" + user).partition(PARTITIONS)))
                .toList();
        assertThat(partitions).hasSize(PARTITIONS);
        KeyClient first = client(FIRST, policy);
        for (String user : users) {
            for (String region : OTHERS) {
                client(region, policy).remaining(user);
            }
            assertThat(first.check(user, LIMIT).get().allowed()).isTrue();
        }
        for (String region : OTHERS) {
            KeyClient client = client(region, policy);
            for (String user : users) {
                eventually(region + " knows that nothing is left of " + user).until(() -> client.remaining(user) == 0);
            }
        }
    }

    @Test
    void a_status_of_a_key_that_the_region_never_met_shows_the_use_of_the_others() throws Exception {
        create("cold-status", "fixed_window", "converge", LIMIT, ENDLESS);
        assertThat(client(FIRST, "cold-status").check("ann", 7).get().allowed()).isTrue();

        for (String region : OTHERS) {
            KeyClient client = client(region, "cold-status");
            eventually(region + " shows what is left").until(() -> client.remaining("ann") == LIMIT - 7);
        }
    }

    /** A check may be refused though budget is left, but only after its full wait; then it is sent again. */
    @ParameterizedTest
    @CsvSource({"1, 1", "16, 1", "40, 1", "100, 1", "16, 3", "40, 3", "100, 3"})
    void a_burst_of_first_checks_in_escrow_is_admitted_up_to_the_limit(int checks, int regions) throws Exception {
        String policy = "burst-%d-%d".formatted(checks, regions);
        create(policy, "fixed_window", "escrow", LIMIT, ENDLESS);
        List<KeyClient> clients = new ArrayList<>();
        for (String region : TestStack.REGIONS.subList(0, regions)) {
            clients.add(client(region, policy));
        }
        List<CompletableFuture<KeyClient.Answer>> sent = new ArrayList<>();
        for (int i = 0; i < checks; i++) {
            sent.add(clients.get(i % regions).check("ann", 1));
        }
        long admitted = 0;
        long slowest = 0;
        List<KeyClient.Answer> early = new ArrayList<>();
        for (CompletableFuture<KeyClient.Answer> each : sent) {
            KeyClient.Answer answer = each.get();
            admitted += answer.allowed() ? 1 : 0;
            slowest = Math.max(slowest, answer.millis());
            if (!answer.allowed() && answer.millis() < GRANT_WAIT_MILLIS) {
                early.add(answer);
            }
        }

        long due = Math.min(checks, LIMIT);
        System.out.printf(
                "[first checks] %d at once in %d regions: %d of %d admitted, slowest answer %d ms%n",
                checks, regions, admitted, due, slowest);
        assertThat(admitted).isLessThanOrEqualTo(LIMIT);
        // Of several regions one may hold a unit that it leased ahead, which the others count as used until it comes
        // back.
        if (regions == 1 && admitted < due) {
            assertThat(early).as("refused before the wait was over").isEmpty();
        }
        for (long left = due - admitted; left > 0; left--) {
            eventually("what is left is admitted")
                    .until(() -> clients.get(0).check("ann", 1).get().allowed());
        }
        for (KeyClient client : clients) {
            assertThat(client.check("ann", LIMIT).get().allowed()).isFalse();
        }
    }

    /**
     * Every region may spend its floor, a sixteenth of the limit, before anybody has granted it anything, however far away the leaders are.
     *
     * @param delayMillis added to each direction of every link to Kafka
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 300})
    void first_checks_that_the_floor_covers_wait_for_nobody(int delayMillis) throws Exception {
        String policy = "floor-" + delayMillis;
        create(policy, "fixed_window", "escrow", FLOOR_LIMIT, "1m");
        for (String region : TestStack.REGIONS) {
            KeyClient client = client(region, policy);
            AtomicInteger asked = new AtomicInteger();
            eventually(region + " has a floor of keys that it never met")
                    .until(() -> client.remaining(region + asked.incrementAndGet()) >= FLOOR_LIMIT / FLOOR_PARTS);
        }
        double waitsBefore = grantWaits();
        long admitted = 0;
        long slowest = 0;
        try (LocalTarget target = stack.target()) {
            try {
                delay(target.links(), delayMillis);
                for (int key = 0; key < KEYS; key++) {
                    for (String region : TestStack.REGIONS) {
                        KeyClient.Answer answer =
                                client(region, policy).check("key-" + key, 1).get();
                        admitted += answer.allowed() ? 1 : 0;
                        slowest = Math.max(slowest, answer.millis());
                    }
                }
            } finally {
                for (String place : target.links().places()) {
                    target.links().heal(place);
                }
            }
        }
        double waits = grantWaits() - waitsBefore;
        System.out.printf(
                "[first checks] %d ms on every link: %d of %d first checks admitted, %.0f waited, slowest answer %d ms%n",
                delayMillis, admitted, (long) KEYS * TestStack.REGIONS.size(), waits, slowest);
        assertThat(waits).isZero();
        assertThat(admitted).isEqualTo((long) KEYS * TestStack.REGIONS.size());
        for (String region : TestStack.REGIONS) {
            AtomicInteger asked = new AtomicInteger();
            eventually(region + " is granted more than its floor again").until(() -> client(region, policy)
                    .check("after-" + region + asked.incrementAndGet(), FLOOR_LIMIT / 2)
                    .get()
                    .allowed());
        }
    }

    private static void delay(Links links, int millis) throws Exception {
        if (millis == 0) {
            return;
        }
        NetworkFault slow = new NetworkFault(
                LinkAction.DELAY,
                List.of(),
                List.of(),
                false,
                Direction.BOTH,
                Duration.ofMillis(millis),
                Duration.ZERO,
                0);
        for (String place : links.places()) {
            links.inject(place, slow);
        }
    }

    /** How many checks of all limiters have ever waited for a grant. */
    private double grantWaits() throws Exception {
        double waits = 0;
        for (String region : TestStack.REGIONS) {
            for (String limiter : stack.limiters(region)) {
                waits += HttpCalls.call(HttpCalls.to(limiter + "/q/metrics").GET())
                        .lines()
                        .filter(line -> line.startsWith("meridian_limiter_grant_waits_total"))
                        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                        .sum();
            }
        }
        return waits;
    }

    private KeyClient client(String region, String policy) throws Exception {
        return new KeyClient(stack.limiters(region).get(0), "/" + policy);
    }

    private void create(String policy, String algorithm, String mode, long limit, String window) throws Exception {
        String body = """
                {"id": "%1$s", "key": ["user_id"], "algorithm": "%2$s", "limit": %3$d, "window": "%5$s", "scope": "global", "mode": "%4$s",
                 "applies_to": {"endpoints": ["/%1$s"]}}""".formatted(policy, algorithm, limit, mode, window);
        HttpCalls.call(HttpCalls.to(stack.part(PartNames.CONFIG_SERVICE).address() + "/admin/api/v1/policies")
                .header("Authorization", "Bearer " + stack.policies().token())
                .header("Content-Type", "application/json")
                .POST(HttpCalls.text(body)));
        eventually("every region has policy " + policy)
                .until(() -> stack.policies().laggards().isEmpty());
    }
}
