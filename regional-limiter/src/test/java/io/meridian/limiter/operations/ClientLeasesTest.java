package io.meridian.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Instance;
import io.meridian.limiter.decide.Limiter.ClientLease;
import io.meridian.limiter.decide.Limiter.LeaseReturn;
import io.meridian.limiter.decide.ManualTime;
import io.meridian.limiter.decide.MemoryRegion;
import io.meridian.limiter.decide.MemoryStore;
import io.meridian.limiter.region.RegionClock;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Check;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Client leases of an instance on a region in memory, in a time that the test sets. */
class ClientLeasesTest {
    /** The start of a window of an hour. */
    private static final long NOON = 1_800_000_000_000_000L;

    private static final long SECOND = 1_000_000;
    private static final int LIMIT = 1_000;

    private final ManualTime time = new ManualTime(NOON);
    private final MemoryRegion region = new MemoryRegion(time);
    private final MemoryStore store = new MemoryStore(time);

    @Test
    void clients_that_share_a_key_get_ever_smaller_shares_and_the_limit_in_all() {
        Instance instance = instance(fixed("a", "user_id", LIMIT));
        ClientLeases leases = leases(instance);

        long granted = 0;
        long last = Long.MAX_VALUE;
        while (leases.lease(check(1), LIMIT, Duration.ofSeconds(1))
                        .toCompletableFuture()
                        .join()
                instanceof ClientLease.Granted lease) {
            assertThat(lease.units()).isBetween(1L, last);
            last = lease.units();
            granted += lease.units();
        }

        assertThat(granted).isEqualTo(LIMIT);
        assertThat(instance.admits(check(1).attributes(), 1)).isFalse();
    }

    @Test
    void a_lease_has_the_units_of_its_scarcest_limit_and_the_others_get_the_rest_back() {
        Instance instance = instance(fixed("a", "user_id", 160_000), fixed("b", "tenant", 321));
        ClientLeases leases = leases(instance);

        ClientLease.Granted lease = granted(leases, 1, 5_000, 1_000);

        assertThat(lease.units()).isEqualTo(1 + 320 / 16);
        assertThat(left(instance, "a")).isEqualTo(160_000 - 21);
        assertThat(left(instance, "b")).isEqualTo(321 - 21);
    }

    @Test
    void a_refusal_of_one_limit_charges_none() {
        Instance instance = instance(fixed("a", "user_id", LIMIT), fixed("b", "tenant", 5));
        ClientLeases leases = leases(instance);

        ClientLease refused = leases.lease(check(6), 100, Duration.ofSeconds(1))
                .toCompletableFuture()
                .join();

        assertThat(refused).isInstanceOf(ClientLease.Refused.class);
        assertThat(left(instance, "a")).isEqualTo(LIMIT);
        assertThat(left(instance, "b")).isEqualTo(5);
    }

    @Test
    void a_flood_of_refused_leases_costs_the_region_nothing() {
        Instance instance = instance(fixed("a", "user_id", 1));
        ClientLeases leases = leases(instance);
        granted(leases, 1, 1, 1_000);
        leases.lease(check(1), 100, Duration.ofSeconds(1));
        int before = region.asks;

        for (int i = 0; i < 100; i++) {
            assertThat(leases.lease(check(1), 100, Duration.ofSeconds(1))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(ClientLease.Refused.class);
        }

        assertThat(region.asks).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(names = {"SLIDING_WINDOW_LOG", "LEAKY_BUCKET"})
    void a_limit_that_counts_at_exact_times_is_not_leased(Algorithm algorithm) {
        Instance instance = instance(
                fixed("a", "user_id", LIMIT),
                Policy.of("b", KeySpec.of("user_id"), algorithm, LIMIT, Window.parse("1h")));

        ClientLease refused = leases(instance)
                .lease(check(1), 100, Duration.ofSeconds(1))
                .toCompletableFuture()
                .join();

        assertThat(refused).isInstanceOfSatisfying(ClientLease.NotLeasable.class, not -> assertThat(
                        not.limit().policy().id())
                .isEqualTo("b"));
        assertThat(left(instance, "a")).isEqualTo(LIMIT);
    }

    @Test
    void a_lease_ends_with_its_time_its_share_of_the_window_or_its_window() {
        time.advance(SECOND);
        ClientLeases hour = leases(instance(fixed("a", "user_id", LIMIT)));
        assertThat(granted(hour, 1, 100, 500).ttlMicros()).isEqualTo(SECOND / 2);
        // The longest term of any lease.
        assertThat(granted(hour, 1, 100, 60_000).ttlMicros()).isEqualTo(2 * SECOND);

        ClientLeases second = leases(
                instance(Policy.of("s", KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, LIMIT, Window.parse("1s"))));
        assertThat(granted(second, 1, 100, 1_000).ttlMicros()).isEqualTo(SECOND / 10);
        time.advance(SECOND - 1_000);
        assertThat(granted(second, 1, 100, 1_000).ttlMicros()).isEqualTo(1_000);
        ClientLeases scarce =
                leases(instance(Policy.of("t", KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, 2, Window.parse("1s"))));
        assertThat(granted(scarce, 1, 100, 1_000).ttlMicros()).isEqualTo(1_000);
    }

    @Test
    void what_is_returned_in_time_is_there_again_and_what_is_not_counts_as_spent() {
        Instance instance = instance(fixed("a", "user_id", LIMIT));
        ClientLeases leases = leases(instance);
        ClientLease.Granted first = granted(leases, 1, 50, 1_000);

        assertThat(giveBack(leases, first.id(), 51)).isEqualTo(new LeaseReturn.TooMany(50));
        assertThat(giveBack(leases, first.id(), 30)).isInstanceOf(LeaseReturn.Returned.class);
        assertThat(left(instance, "a")).isEqualTo(LIMIT - 20);
        assertThat(giveBack(leases, first.id(), 1)).isInstanceOf(LeaseReturn.Unknown.class);

        ClientLease.Granted second = granted(leases, 1, 50, 1_000);
        time.advance(SECOND);
        assertThat(giveBack(leases, second.id(), 50)).isInstanceOf(LeaseReturn.Expired.class);
        assertThat(giveBack(leases, "0", 1)).isInstanceOf(LeaseReturn.Unknown.class);
        assertThat(left(instance, "a")).isEqualTo(LIMIT - 20 - 50);
    }

    @Test
    void a_lease_that_cannot_be_stored_is_none_and_charges_nothing() {
        Instance instance = instance(fixed("a", "user_id", LIMIT));
        ClientLeases leases = leases(instance);
        store.away = true;

        assertThat(leases.lease(check(1), 50, Duration.ofSeconds(1)).toCompletableFuture())
                .isCompletedExceptionally();

        assertThat(left(instance, "a")).isEqualTo(LIMIT);
    }

    @Test
    void nothing_is_leased_without_the_region() {
        ClientLeases leases = leases(instance(fixed("a", "user_id", LIMIT)));
        region.misses = 1;

        assertThat(leases.lease(check(1), 50, Duration.ofSeconds(1)).toCompletableFuture())
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .havingCause()
                .isNotInstanceOf(CompletionException.class);
    }

    private Instance instance(Policy... policies) {
        return new Instance(region, policies);
    }

    private ClientLeases leases(Instance instance) {
        RegionClock clock = new RegionClock(time);
        Reservations reservations = new Reservations(instance.decider, instance.amendments, store, clock);
        return new ClientLeases(instance.clientLeases, reservations, store, clock);
    }

    private static ClientLease.Granted granted(ClientLeases leases, long cost, long units, long ttlMillis) {
        return (ClientLease.Granted) leases.lease(check(cost), units, Duration.ofMillis(ttlMillis))
                .toCompletableFuture()
                .join();
    }

    private static LeaseReturn giveBack(ClientLeases leases, String id, long units) {
        return leases.giveBack(id, units).toCompletableFuture().join();
    }

    private static long left(Instance instance, String policy) {
        return ((CheckResult.Decided) instance.amendments
                        .status(check(1))
                        .toCompletableFuture()
                        .join())
                .decision().limits().stream()
                        .filter(each -> each.limit().policy().id().equals(policy))
                        .findFirst()
                        .orElseThrow()
                        .standing()
                        .remaining();
    }

    private static Policy fixed(String id, String attribute, long limit) {
        return Policy.of(id, KeySpec.of(attribute), Algorithm.FIXED_WINDOW, limit, Window.parse("1h"));
    }

    private static Check check(long cost) {
        return new Check(Map.of("user_id", "ann", "tenant", "acme"), "/", "GET", Map.of(), "", cost);
    }
}
