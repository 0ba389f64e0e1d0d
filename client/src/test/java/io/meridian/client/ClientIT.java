package io.meridian.client;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.client.CheckDecision.LimitStatus;
import io.meridian.client.CheckDecision.Source;
import io.meridian.client.SharedLimiter.RunningLimiter;
import io.meridian.testkit.TestAmounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients of a real limiter with a real Redis. Every test has users of its own. */
@ExtendWith(SharedLimiter.class)
@Timeout(600)
class ClientIT {
    private static final int LIMIT = 20_000;
    private static final int THREADS = 64;
    private static final int CLIENTS = 3;

    @Test
    void a_remote_check_is_decided_as_the_limiter_does(RunningLimiter limiter) {
        try (MeridianClient client = limiter.client().build()) {
            CheckRequest request = request("/few").attribute("api_key", "ann").build();
            for (int left = 2; left >= 0; left--) {
                CheckDecision decision = client.check(request);
                assertThat(decision.allowed()).isTrue();
                assertThat(decision.remaining()).isEqualTo(left);
                assertThat(decision.source()).isEqualTo(Source.LIMITER);
            }
            CheckDecision refused = client.check(request);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.policy()).isEqualTo("few");
            assertThat(refused.retryAfterSeconds()).isPositive();
            assertThat(refused.type()).isEqualTo("urn:meridian:problem:limit-exceeded");
            assertThat(refused.limits()).extracting(LimitStatus::bound).containsExactly("exact");
            assertThat(client.check(request).source()).isEqualTo(Source.CLIENT_MEMORY);
            CheckDecision barred =
                    client.check(request("/few").attribute("api_key", "barred").build());
            assertThat(barred.status()).isEqualTo(403);
        }
    }

    @Test
    void a_token_of_nobody_leaves_every_check_undecided(RunningLimiter limiter) {
        try (MeridianClient client = limiter.client().token("nobody-has-it").build()) {
            CheckDecision decision =
                    client.check(request("/few").attribute("api_key", "bea").build());
            assertThat(decision.source()).isEqualTo(Source.UNAVAILABLE);
            assertThat(decision.degraded()).isTrue();
        }
    }

    @Test
    void a_hot_question_is_decided_in_memory_and_what_is_left_is_given_back(RunningLimiter limiter) {
        Counts counts = new Counts();
        int checks = 5_000;
        try (MeridianClient client =
                limiter.client().leasing(true).listener(counts).build()) {
            CheckRequest request = hot("cleo");
            for (int i = 0; i < checks; i++) {
                assertThat(client.check(request).allowed()).isTrue();
            }
            CheckDecision last = client.check(request);
            assertThat(last.allowed()).isTrue();
        }
        assertThat(counts.leaseDecisions.get()).isPositive();
        // The instance has leased ahead for the checks that were sent, and gives that back by itself.
        eventually("all but what was spent is there again")
                .until(() -> counts.lost.get() + remaining(limiter, hot("cleo")) == LIMIT - checks - 1);
    }

    @Test
    void a_limit_of_exact_times_is_never_leased(RunningLimiter limiter) {
        Counts counts = new Counts();
        try (MeridianClient client =
                limiter.client().leasing(true).listener(counts).build()) {
            CheckRequest request = request("/log").attribute("user_id", "dan").build();
            long allowed = IntStream.range(0, 200)
                    .filter(i -> client.check(request).allowed())
                    .count();
            assertThat(allowed).isEqualTo(50);
        }
        assertThat(counts.leaseDecisions.get()).isZero();
    }

    @Test
    void threads_of_several_clients_never_exceed_a_limit_together(RunningLimiter limiter) {
        int rounds = TestAmounts.of(2, 20);
        for (int round = 0; round < rounds; round++) {
            CheckRequest request = hot("shared-" + round);
            Counts counts = new Counts();
            List<MeridianClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(limiter.client().leasing(true).listener(counts).build());
            }
            AtomicLong allowed = new AtomicLong();
            AtomicLong unavailable = new AtomicLong();
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                MeridianClient client = clients.get(i % CLIENTS);
                running.add(CompletableFuture.runAsync(() -> spend(client, request, allowed, unavailable), threads));
            }
            running.forEach(CompletableFuture::join);
            threads.shutdown();
            clients.forEach(MeridianClient::close);

            assertThat(unavailable.get()).as("checks that no limiter decided").isZero();
            assertThat(allowed.get()).isLessThanOrEqualTo(LIMIT);
            // Refused clients gave their units back, and a later one gets them.
            try (MeridianClient last =
                    limiter.client().refusalMemory(Duration.ZERO).build()) {
                while (last.check(request).allowed()) {
                    allowed.incrementAndGet();
                }
            }
            assertThat(allowed.get() + counts.lost.get()).isEqualTo(LIMIT);
            assertThat(remaining(limiter, request)).isZero();
        }
    }

    private static void spend(MeridianClient client, CheckRequest request, AtomicLong allowed, AtomicLong unavailable) {
        int refused = 0;
        while (refused < 3) {
            CheckDecision decision = client.check(request);
            if (decision.source() == Source.UNAVAILABLE) {
                unavailable.incrementAndGet();
                return;
            }
            if (decision.allowed()) {
                allowed.incrementAndGet();
            } else {
                refused++;
            }
        }
    }

    @Test
    void clients_that_are_killed_cost_at_most_what_they_held(RunningLimiter limiter) throws Exception {
        int checks = 3_000;
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            DyingClient.class.getName(),
                            limiter.address().toString(),
                            Integer.toString(checks))
                    .redirectErrorStream(true)
                    .start());
        }
        long held = 0;
        for (Process process : processes) {
            held += held(process);
            process.waitFor();
        }

        long spent = (long) CLIENTS * checks;
        assertThat(LIMIT - remaining(limiter, hot("doomed"))).isGreaterThanOrEqualTo(spent);
        long atMost = spent + held;
        eventually("no more is missing than the clients spent and held")
                .until(() -> LIMIT - remaining(limiter, hot("doomed")) <= atMost);
        assertThat(LIMIT - remaining(limiter, hot("doomed"))).isGreaterThanOrEqualTo(spent);
    }

    /** The units of all leases that it got less those it spent, by its last words. */
    private static long held(Process process) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> said = lines.lines().toList();
            return said.stream()
                    .filter(line -> line.startsWith("held "))
                    .mapToLong(line -> Long.parseLong(line.substring("held ".length())))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("a client said " + said));
        }
    }

    static CheckRequest hot(String user) {
        return request("/hot")
                .attribute("user_id", user)
                .attribute("tenant", "of-" + user)
                .build();
    }

    private static CheckRequest.Builder request(String endpoint) {
        return CheckRequest.builder().endpoint(endpoint).method("GET");
    }

    private static long remaining(RunningLimiter limiter, CheckRequest request) {
        CheckRequest.Builder asks = request(request.endpoint()).cost(0);
        request.attributes().forEach(asks::attribute);
        try (MeridianClient client = limiter.client().build()) {
            return client.check(asks.build()).limits().stream()
                    .filter(each -> each.policy().equals("hot"))
                    .findFirst()
                    .orElseThrow()
                    .remaining();
        }
    }

    /** Counts of a client's listener. */
    static final class Counts implements ClientListener {
        final AtomicLong leaseDecisions = new AtomicLong();
        final AtomicLong leased = new AtomicLong();
        final AtomicLong returned = new AtomicLong();
        final AtomicLong lost = new AtomicLong();

        @Override
        public void decided(CheckDecision decision) {
            if (decision.source() == Source.CLIENT_LEASE) {
                leaseDecisions.incrementAndGet();
            }
        }

        @Override
        public void leased(long units) {
            leased.addAndGet(units);
        }

        @Override
        public void returned(long units) {
            returned.addAndGet(units);
        }

        @Override
        public void lost(long units) {
            lost.addAndGet(units);
        }
    }

    /** A process that spends from leases and dies without giving anything back. */
    static final class DyingClient {
        private DyingClient() {}

        public static void main(String[] args) {
            Counts counts = new Counts();
            MeridianClient client = MeridianClient.builder()
                    .limiter(URI.create(args[0]))
                    .token(RunningLimiter.TOKEN)
                    .timeout(Duration.ofSeconds(20))
                    .connectTimeout(Duration.ofSeconds(20))
                    .leasing(true)
                    .listener(counts)
                    .build();
            int checks = Integer.parseInt(args[1]);
            for (int i = 0; i < checks; i++) {
                if (!client.check(hot("doomed")).allowed()) {
                    throw new IllegalStateException("check " + i + " was refused");
                }
            }
            // Of each lease the check that asked for it spent one unit without a decision by the lease.
            System.out.println("held " + (counts.leased.get() - counts.returned.get() - counts.leaseDecisions.get()));
            System.out.flush();
            Runtime.getRuntime().halt(9);
        }
    }
}
