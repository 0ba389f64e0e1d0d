package io.meridian.client;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.client.CheckDecision.Source;
import io.meridian.client.ClientSettings.WhenUnavailable;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client of limiters that answer as the test tells them. */
@Timeout(300)
class MeridianClientTest {
    private static final int OFTEN = 50;

    private final StubLimiter limiter = new StubLimiter();
    private final SetClock clock = new SetClock();

    @AfterEach
    void stop() {
        limiter.close();
    }

    @Test
    void concurrent_checks_share_calls_and_each_gets_its_own_answer() {
        limiter.check = cost -> StubLimiter.allowed(1_000 - cost);
        limiter.hold();
        try (MeridianClient client = client(patient().callsMax(1))) {
            List<CompletableFuture<CheckDecision>> answers = new ArrayList<>();
            for (int i = 1; i <= 150; i++) {
                answers.add(client.checkAsync(ann().cost(i).build()).toCompletableFuture());
            }
            limiter.release();
            for (int i = 1; i <= 150; i++) {
                assertThat(answers.get(i - 1).join().remaining()).isEqualTo(1_000 - i);
            }
        }
        assertThat(limiter.calls("/batch")).isEqualTo(3);
    }

    @Test
    void large_checks_go_in_bodies_that_a_limiter_takes() {
        limiter.hold();
        try (MeridianClient client = client(patient().callsMax(1))) {
            String large = "x".repeat(60_000);
            List<CompletableFuture<CheckDecision>> answers = IntStream.range(0, 9)
                    .mapToObj(i ->
                            client.checkAsync(ann().endpoint(large).build()).toCompletableFuture())
                    .toList();
            limiter.release();
            assertThat(answers).allMatch(each -> each.join().source() == Source.LIMITER);
        }
        // One at once, then four in each body of 250,000 bytes.
        assertThat(limiter.calls("/batch")).isEqualTo(3);
        assertThat(limiter.calls).allMatch(call -> call.length() < 256 * 1_024);
    }

    @Test
    void a_check_that_cannot_be_sent_fails_alone() {
        limiter.hold();
        try (MeridianClient client = client(patient().callsMax(1))) {
            CompletableFuture<CheckDecision> before =
                    client.checkAsync(ann().build()).toCompletableFuture();
            assertThatThrownBy(() ->
                            client.check(ann().attribute("user_id", "\ud800").build()))
                    .isInstanceOf(InvalidCheckException.class);
            assertThatThrownBy(() ->
                            client.check(ann().endpoint("x".repeat(70_000)).build()))
                    .hasMessageContaining("the check must have at most 65000 bytes");
            CompletableFuture<CheckDecision> after =
                    client.checkAsync(ann().build()).toCompletableFuture();
            limiter.release();
            assertThat(before.join().source()).isEqualTo(Source.LIMITER);
            assertThat(after.join().source()).isEqualTo(Source.LIMITER);
        }
    }

    @Test
    void a_closed_client_decides_as_without_a_limiter() {
        MeridianClient client = client(patient());
        client.close();
        assertThat(client.check(ann().build()).source()).isEqualTo(Source.UNAVAILABLE);
    }

    @Test
    void a_full_queue_leaves_a_check_undecided_at_once() {
        limiter.hold();
        try (MeridianClient client =
                client(patient().callsMax(1).queueMax(10).whenUnavailable(WhenUnavailable.CLOSED))) {
            List<CompletableFuture<CheckDecision>> waiting = IntStream.range(0, 11)
                    .mapToObj(i -> client.checkAsync(ann().build()).toCompletableFuture())
                    .toList();
            CheckDecision decision = client.check(ann().build());
            assertThat(decision.status()).isEqualTo(503);
            assertThat(decision.detail()).contains("more than 10 checks wait");
            limiter.release();
            assertThat(waiting).allMatch(each -> each.join().allowed());
        }
    }

    @Test
    void a_refusal_is_remembered_for_as_long_as_it_cannot_change_and_no_longer() {
        limiter.check = cost -> StubLimiter.refused(60);
        try (MeridianClient client = client(patient().refusalMemory(Duration.ofSeconds(5)))) {
            assertThat(client.check(ann().cost(3).build()).source()).isEqualTo(Source.LIMITER);
            assertThat(client.check(ann().cost(3).build()).source()).isEqualTo(Source.CLIENT_MEMORY);
            assertThat(client.check(ann().cost(4).build()).status()).isEqualTo(429);
            assertThat(limiter.calls("/batch")).isEqualTo(1);
            assertThat(client.check(ann().cost(2).build()).source()).isEqualTo(Source.LIMITER);
            assertThat(client.check(bob().cost(3).build()).source()).isEqualTo(Source.LIMITER);
            clock.advanceMillis(5_000);
            assertThat(client.check(ann().cost(3).build()).source()).isEqualTo(Source.LIMITER);
        }
    }

    @Test
    void a_refusal_of_less_than_a_second_is_not_remembered() {
        limiter.check = cost -> StubLimiter.refused(1);
        try (MeridianClient client = client(patient())) {
            client.check(ann().build());
            assertThat(client.check(ann().build()).source()).isEqualTo(Source.LIMITER);
        }
    }

    @Test
    void memory_is_bounded_and_what_is_not_remembered_is_asked() {
        limiter.check = cost -> StubLimiter.refused(60);
        try (MeridianClient client = client(patient().memoryMax(1))) {
            client.check(ann().build());
            client.check(bob().build());
            assertThat(client.check(bob().build()).source()).isEqualTo(Source.LIMITER);
            assertThat(client.check(ann().build()).source()).isEqualTo(Source.CLIENT_MEMORY);
            clock.advanceMillis(600_000);
            eventually("the idle question is forgotten, and another takes its place")
                    .until(() -> {
                        client.check(bob().build());
                        return client.check(bob().build()).source() == Source.CLIENT_MEMORY;
                    });
        }
    }

    @Test
    void a_check_with_a_request_id_or_without_a_cost_is_always_sent() {
        limiter.check = cost -> StubLimiter.refused(60);
        try (MeridianClient client = client(patient())) {
            client.check(ann().build());
            assertThat(client.check(ann().requestId("r").build()).source()).isEqualTo(Source.LIMITER);
            assertThat(client.check(ann().cost(0).build()).source()).isEqualTo(Source.LIMITER);
        }
        assertThat(limiter.calls).anyMatch(call -> call.contains("\"request_id\":\"r\""));
    }

    @Test
    void a_check_that_the_limiter_cannot_read_fails() {
        limiter.check =
                cost -> "{\"type\":\"urn:meridian:problem:invalid\",\"status\":422,\"detail\":\"cost is wrong\"}";
        try (MeridianClient client = client(patient())) {
            assertThatThrownBy(() -> client.check(ann().build()))
                    .isInstanceOfSatisfying(InvalidCheckException.class, invalid -> assertThat(invalid.status())
                            .isEqualTo(422))
                    .hasMessage("cost is wrong");
        }
    }

    @Test
    void without_a_limiter_open_allows_and_closed_refuses() {
        limiter.stop();
        try (MeridianClient open = client(patient());
                MeridianClient closed = client(patient().whenUnavailable(WhenUnavailable.CLOSED))) {
            for (int i = 0; i < 2 * LimiterPool.FAILURES_MAX; i++) {
                CheckDecision allowed = open.check(ann().build());
                assertThat(allowed.allowed()).isTrue();
                assertThat(allowed.degraded()).isTrue();
                assertThat(allowed.source()).isEqualTo(Source.UNAVAILABLE);
                assertThat(closed.check(ann().build()).status()).isEqualTo(503);
            }
        }
    }

    @Test
    void without_a_limiter_local_admits_its_factor_of_each_known_limit_per_window() {
        try (MeridianClient client =
                client(patient().whenUnavailable(WhenUnavailable.LOCAL).localFactor(0.5))) {
            client.check(ann().build());
            limiter.stop();
            long allowed = IntStream.range(0, 80)
                    .filter(i -> client.check(ann().build()).allowed())
                    .count();
            assertThat(allowed).isEqualTo(50);
            CheckDecision refused = client.check(ann().build());
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.retryAfterSeconds()).isPositive();
            assertThat(client.check(bob().build()).allowed())
                    .as("what was never known")
                    .isTrue();
        }
    }

    @Test
    void a_call_without_an_answer_ends_with_the_timeout() {
        limiter.hold();
        try (MeridianClient client =
                client(MeridianClient.builder().limiter(limiter.address()).timeout(Duration.ofMillis(50)))) {
            assertThat(client.check(ann().build()).source()).isEqualTo(Source.UNAVAILABLE);
        }
    }

    @Test
    void an_address_that_fails_is_left_out_until_a_probe_finds_it_ready() {
        try (StubLimiter other = new StubLimiter();
                MeridianClient client = client(patient()
                        .limiter(other.address())
                        .probeEvery(Duration.ofMillis(20))
                        .refusalMemory(Duration.ZERO))) {
            other.stop();
            for (int i = 0; i < OFTEN; i++) {
                assertThat(client.check(ann().build()).source()).isEqualTo(Source.LIMITER);
            }
            long before = limiter.calls("/batch");
            for (int i = 0; i < OFTEN; i++) {
                client.check(ann().build());
            }
            assertThat(limiter.calls("/batch") - before).isEqualTo(OFTEN);
            other.startAgain();
            eventually("the address is used again").until(() -> {
                client.check(ann().build());
                return other.calls("/batch") > 0;
            });
        }
    }

    @Test
    void a_lease_is_spent_to_its_last_unit_and_never_after_its_end() {
        limiter.lease = body -> StubLimiter.leased(8, 1_000);
        limiter.check = cost -> StubLimiter.refused(60);
        try (MeridianClient client = client(patient().leasing(true))) {
            limiter.check = cost -> StubLimiter.allowed(99);
            heat(client);
            limiter.check = cost -> StubLimiter.refused(1);
            limiter.leaseStatus = 201;
            CheckDecision first = client.check(ann().build());
            assertThat(first.source()).isEqualTo(Source.LIMITER);
            // A lease that is nearly used up makes a check ask for another, which is refused: the rest is spent first.
            limiter.lease = body -> StubLimiter.refused(1);
            limiter.leaseStatus = 429;
            for (int i = 1; i <= 7; i++) {
                CheckDecision decision = client.check(ann().build());
                assertThat(decision.source()).as("check " + i).isEqualTo(Source.CLIENT_LEASE);
                assertThat(decision.remaining()).isEqualTo(90 - 2 * i);
                assertThat(decision.limits().get(0).remaining()).isEqualTo(90 - 2 * i);
                assertThat(decision.limits().get(0).decidedBy()).isEqualTo("client-lease");
            }
            assertThat(client.check(ann().build()).allowed()).isFalse();
        }
        assertThat(limiter.calls("/return")).isZero();
    }

    @Test
    void what_is_left_of_a_lease_is_given_back_before_its_end() {
        limiter.lease = body -> StubLimiter.leased(100, 1_000);
        try (MeridianClient client = client(patient().leasing(true))) {
            heat(client);
            client.check(ann().build());
            client.check(ann().build());
            assertThat(limiter.calls("/return")).isZero();
            clock.advanceMillis(950);
            eventually("the rest is given back").until(() -> limiter.calls("/return") == 1);
            assertThat(limiter.calls).contains("/api/v1/rate-limit/leases/l1/return {\"units\":98}");
            limiter.leaseStatus = 429;
            limiter.lease = body -> StubLimiter.refused(60);
            limiter.check = cost -> StubLimiter.refused(60);
            assertThat(client.check(ann().build()).allowed()).isFalse();
        }
    }

    @Test
    void a_lease_that_came_after_its_end_admits_nobody_but_the_check_that_asked() {
        limiter.lease = body -> {
            clock.advanceMillis(2_000);
            return StubLimiter.leased(100, 1_000);
        };
        AtomicLong byLease = new AtomicLong();
        ClientListener counts = new ClientListener() {
            @Override
            public void decided(CheckDecision decision) {
                byLease.addAndGet(decision.source() == Source.CLIENT_LEASE ? 1 : 0);
            }
        };
        try (MeridianClient client = client(patient().leasing(true).listener(counts))) {
            heat(client);
            for (int i = 0; i < OFTEN; i++) {
                client.check(ann().build());
            }
        }
        assertThat(limiter.calls("/leases ")).isPositive();
        assertThat(byLease).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {422, 503})
    void what_cannot_be_leased_is_checked_and_not_asked_again_for_a_while(int status) {
        limiter.leaseStatus = status;
        limiter.lease = body -> "{\"status\":" + status + "}";
        try (MeridianClient client = client(patient().leasing(true))) {
            for (int i = 0; i < OFTEN; i++) {
                assertThat(client.check(ann().build()).source()).isEqualTo(Source.LIMITER);
            }
        }
        assertThat(limiter.calls("/leases")).isEqualTo(1);
    }

    @Test
    void checks_that_wait_for_one_lease_are_all_decided() {
        limiter.lease = body -> StubLimiter.leased(10, 60_000);
        try (MeridianClient client = client(patient().leasing(true))) {
            heat(client);
            limiter.hold();
            List<CompletableFuture<CheckDecision>> waiting = IntStream.range(0, 200)
                    .mapToObj(i -> client.checkAsync(ann().build()).toCompletableFuture())
                    .toList();
            limiter.release();
            assertThat(waiting).allMatch(each -> each.join().allowed());
        }
    }

    @Test
    void a_client_that_closes_gives_everything_back() {
        limiter.lease = body -> StubLimiter.leased(100, 60_000);
        try (MeridianClient client = client(patient().leasing(true))) {
            heat(client);
            client.check(ann().build());
        }
        assertThat(limiter.calls).contains("/api/v1/rate-limit/leases/l1/return {\"units\":99}");
    }

    @Test
    void settings_have_bounds() {
        URI address = limiter.address();
        assertThatThrownBy(() -> MeridianClient.builder().build()).hasMessageContaining("limiters must be 1 to 64");
        assertThatThrownBy(() -> MeridianClient.builder()
                        .limiter(address)
                        .timeout(Duration.ZERO)
                        .build())
                .hasMessage("timeout must be from 1 to 60000 ms, got PT0S");
        assertThatThrownBy(() -> MeridianClient.builder()
                        .limiter(address.resolve("/path"))
                        .build())
                .hasMessageContaining("without path");
        assertThatThrownBy(() ->
                        MeridianClient.builder().limiter(address).queueMax(0).build())
                .hasMessageContaining("queueMax");
        assertThatThrownBy(() -> ann().cost(-1)).hasMessageContaining("cost must be from 0");
    }

    /** Makes a question hot: enough checks that are sent. */
    private static void heat(MeridianClient client) {
        for (int i = 0; i < 22; i++) {
            assertThat(client.check(ann().build()).source()).isEqualTo(Source.LIMITER);
        }
    }

    private static CheckRequest.Builder ann() {
        return CheckRequest.builder().attribute("user_id", "ann").endpoint("/a");
    }

    private static CheckRequest.Builder bob() {
        return CheckRequest.builder().attribute("user_id", "bob").endpoint("/a");
    }

    private ClientSettings.Builder patient() {
        return MeridianClient.builder()
                .limiter(limiter.address())
                .timeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30));
    }

    private MeridianClient client(ClientSettings.Builder settings) {
        return new MeridianClient(settings.settings(), clock);
    }

    /** A clock that only the test moves. */
    private static final class SetClock implements ClientClock {
        private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);

        void advanceMillis(long more) {
            millis.addAndGet(more);
        }

        @Override
        public long nanos() {
            return millis.get() * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return millis.get();
        }
    }
}
