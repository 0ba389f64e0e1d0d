package io.meridian.stacktests.global;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.history.Subject;
import io.meridian.drill.load.CheckClient;
import io.meridian.drill.load.CheckClient.CheckAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Checks of one limit in several regions, and the count of what each region admitted and refused. It goes by counts alone: it asks
 * until the limit is spent and every region has refused, however long that takes, so a slow machine changes nothing.
 */
final class Spending implements AutoCloseable {
    /** So many refusals of each region after the limit was spent show that it stays so. */
    private static final int REFUSALS = 10;

    private static final Duration SPENT_WITHIN = Duration.ofMinutes(3);
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(1);
    private static final int CLIENTS_PER_REGION = 2;

    private final Subject subject;
    private final CheckClient client;
    private final Map<String, AtomicLong> admitted = new LinkedHashMap<>();
    private final Map<String, AtomicLong> refusedSinceSpent = new ConcurrentHashMap<>();
    private volatile long windowEndMicros;
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    /** @param limiters the addresses of each region's limiters, which take turns */
    Spending(Subject subject, Map<String, List<String>> limiters) {
        this.subject = subject;
        this.client = new CheckClient(limiters, subject.policy(), ANSWER_WITHIN, ANSWER_WITHIN);
        limiters.keySet().forEach(region -> admitted.put(region, new AtomicLong()));
    }

    /**
     * Checks once; true if it was admitted. A connection that breaks is tried again under the same request id, so that the check is
     * charged once. A check that is not decided, or decided without Redis, fails the test.
     */
    boolean check(String region) throws Exception {
        CheckAnswer answer = client.check(region, subject).get();
        assertThat(answer.degraded()).as("degraded answer of %s", region).isFalse();
        windowEndMicros = answer.windowEndMicros();
        if (answer.allowed()) {
            count(region).incrementAndGet();
        }
        return answer.allowed();
    }

    private AtomicLong count(String region) {
        AtomicLong count = admitted.get(region);
        if (count == null) {
            throw new IllegalArgumentException("region must be one of " + admitted.keySet() + ", got " + region);
        }
        return count;
    }

    /** All regions at once, until the limit is spent and each has refused ten times since. */
    void spendEverywhere() throws Exception {
        spend(List.copyOf(admitted.keySet()), subject.limit());
    }

    /** These regions at once, until so much is admitted in all and each of these has refused ten times since. */
    void spend(List<String> regions, long total) throws Exception {
        stopped = false;
        refusedSinceSpent.clear();
        List<Thread> clients = new ArrayList<>();
        for (String region : regions) {
            for (int client = 0; client < CLIENTS_PER_REGION; client++) {
                Thread thread = new Thread(() -> spend(region, total), "spending-" + region);
                thread.setDaemon(true);
                clients.add(thread);
                thread.start();
            }
        }
        Callable<Boolean> isSpent = () -> failure != null
                || (total() >= total && regions.stream().allMatch(region -> refusals(region) >= REFUSALS));
        try {
            eventually(subject.policy() + " is spent and stays so: " + this)
                    .atMost(SPENT_WITHIN)
                    .until(isSpent);
        } catch (AssertionError late) {
            throw new AssertionError(this + ", " + late.getMessage(), late);
        } finally {
            stopped = true;
            for (Thread client : clients) {
                client.join();
            }
        }
        if (failure != null) {
            throw new AssertionError("a check of " + subject.policy() + " was not decided", failure);
        }
    }

    private void spend(String region, long total) {
        try {
            while (!stopped) {
                boolean wasSpent = total() >= total;
                if (!check(region) && wasSpent) {
                    refusedSinceSpent
                            .computeIfAbsent(region, unused -> new AtomicLong())
                            .incrementAndGet();
                }
            }
        } catch (Exception | AssertionError failed) {
            failure = failed;
        }
    }

    private long refusals(String region) {
        AtomicLong refused = refusedSinceSpent.get(region);
        return refused == null ? 0 : refused.get();
    }

    long total() {
        return admitted.values().stream().mapToLong(AtomicLong::get).sum();
    }

    long admitted(String region) {
        return count(region).get();
    }

    /** The end of the one window that all checks fell into. */
    long windowEndMicros() {
        return windowEndMicros;
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return "%s: %d of %d admitted, %s".formatted(subject.policy(), total(), subject.limit(), admitted);
    }
}
