package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionalCounter;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.policy.Enforcement.OnFailure;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A few counters in Redis and in {@link RegionModel}, which must answer alike whatever is asked of them. */
final class World {
    private static final int COUNTERS = 4;
    private static final long SOON_MICROS = TimeUnit.DAYS.toMicros(100);

    private final SplittableRandom random;
    private final SetTime script;
    private final Limit[] limits = new Limit[COUNTERS];
    private final RegionModel model = new RegionModel();
    private final Map<String, Twin> twins = new HashMap<>();
    private long nowMicros;
    private long latestMicros;
    private long resetMicros;

    /** Under which terms a counter was last written, and until when Redis keeps it. */
    private record Twin(Limit limit, long expiryMicros) {}

    World(SplittableRandom random, SetTime script, Algorithm algorithm) {
        this.random = random;
        this.script = script;
        this.nowMicros = Draw.startMicros(random);
        this.latestMicros = nowMicros;
        Algorithm[] all = Algorithm.values();
        for (int i = 0; i < COUNTERS; i++) {
            Algorithm own = i == COUNTERS - 1 ? all[random.nextInt(all.length)] : algorithm;
            limits[i] = limit("p" + i, own, i == 1, Long.toHexString(random.nextLong()), Draw.terms(random, own));
        }
    }

    static Limit limit(String policyId, Algorithm algorithm, boolean shadow, String key, Quota terms) {
        Policy plain = Policy.of(policyId, KeySpec.ONE_FOR_ALL, algorithm, 1, Window.Span.ofSeconds(1));
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                plain.coordination(),
                shadow ? new Enforcement(Action.LOG_ONLY, 0, OnFailure.LOCAL, false) : Enforcement.REJECT,
                0,
                true,
                plain.revision());
        return new Limit(policy, terms, key, 1, 1);
    }

    /** One call of a few groups, after some time, under terms that may have changed. */
    void step() {
        int changing = random.nextInt(12 * COUNTERS);
        if (changing < COUNTERS) {
            Limit old = limits[changing];
            Algorithm algorithm = old.policy().limitSpec().algorithm();
            limits[changing] = new Limit(old.policy(), Draw.terms(random, algorithm), old.key(), 1, 1);
        }
        boolean toReset = resetMicros > nowMicros && random.nextInt(6) == 0;
        nowMicros = toReset
                ? Draw.aroundMicros(random, resetMicros)
                : Draw.nextMicros(random, nowMicros, latestMicros, limits[random.nextInt(COUNTERS)].quota());
        latestMicros = Math.max(latestMicros, nowMicros);
        expire();
        List<List<CounterRequest>> groups = new ArrayList<>();
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            groups.add(group());
        }
        SetTime.Asked asked = script.ask(groups, nowMicros);
        for (int i = 0; i < groups.size(); i++) {
            agree(groups.get(i), asked.replies().get(i), asked.expiryMicros());
        }
    }

    private List<CounterRequest> group() {
        int size = random.nextInt(3) > 0 ? 1 : random.nextInt(2, COUNTERS + 1);
        int first = random.nextInt(COUNTERS);
        List<CounterRequest> group = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            group.add(Draw.ask(random, limits[(first + i) % COUNTERS], nowMicros));
        }
        return group;
    }

    private void agree(List<CounterRequest> group, Reply reply, Map<String, Long> expiryMicros) {
        List<CounterState> states =
                group.stream().map(ask -> model.counter(ask.limit())).toList();
        List<CounterReply> expected = model.count(group, model.incarnation(), nowMicros, limit -> FloorOffer.NONE);
        assertThat(reply.nowMicros()).isEqualTo(nowMicros);
        if (!reply.told().equals(expected)) {
            throw new AssertionError("at %d to %s of %s: %s, not %s"
                    .formatted(nowMicros, group.stream().map(World::words).toList(), states, reply.told(), expected));
        }
        long toldMicros = reply.told().get(0).standing().resetAtMicros();
        resetMicros = toldMicros < nowMicros + SOON_MICROS ? toldMicros : resetMicros;
        for (int i = 0; i < group.size(); i++) {
            Limit limit = group.get(i).limit();
            String name = SetTime.name(CounterKey.of(TestKeys.KEYS, limit));
            CounterState next = model.counter(limit);
            if (next == CounterState.UNTOUCHED) {
                twins.remove(name);
            } else if (next != states.get(i)) {
                twins.put(
                        name,
                        new Twin(
                                limit,
                                Optional.ofNullable(expiryMicros.get(name)).orElseThrow()));
            }
        }
    }

    private static String words(CounterRequest ask) {
        Limit limit = ask.limit();
        String policy = limit.policy().limitSpec().algorithm() + " of " + limit.quota();
        return ask.toString().replaceFirst("limit=Limit\\[.*unitCost=1]", policy);
    }

    /** Whatever Redis would have forgotten by now must be as good as untouched. */
    private void expire() {
        twins.values().removeIf(twin -> {
            if (nowMicros < twin.expiryMicros()) {
                return false;
            }
            for (long cost : new long[] {1, twin.limit().quota().capacity()}) {
                List<CounterRequest> peek = List.of(new CounterRequest.Peek(twin.limit(), cost));
                assertThat(RegionalCounter.of(peek, List.of(model.counter(twin.limit())), nowMicros)
                                .replies())
                        .as("expired under " + twin.limit().quota())
                        .isEqualTo(RegionalCounter.of(peek, List.of(CounterState.UNTOUCHED), nowMicros)
                                .replies());
            }
            model.forget(twin.limit());
            byte[] key = CounterKey.of(TestKeys.KEYS, twin.limit());
            script.forget(key);
            script.forget(CounterKey.listOf(key));
            return true;
        });
    }
}
