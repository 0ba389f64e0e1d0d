package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionModel.Due;
import io.meridian.model.counter.RegionModel.Server;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.match.Shard;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.VerdictRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Instances that take, give back and report, and some that die over it, in Redis and in {@link RegionModel}: mixed groups, due accounts,
 * verdicts and another incarnation are alike, and what the log knows at last is what was used.
 */
final class ReportingWorld {
    private static final int GLOBAL_LIMITS = 4;
    private static final int LIMITS = GLOBAL_LIMITS + 2;
    private static final int ALL = 1_000;
    private static final Window WINDOW = Window.parse("60s");
    /** Longer than anybody has a book to report it. */
    private static final long QUIET_MICROS = 5_000_000;

    private record Known(long incarnation, LimitWindow window) {
        static Known of(DueAccount account) {
            return new Known(account.incarnation(), account.limit());
        }
    }

    private record Logged(UsageCount count, long grantReturned, long floor) {
        static Logged of(DueAccount book) {
            return new Logged(book.count(), book.grantReturned(), book.floor());
        }
    }

    private final SplittableRandom random;
    private final VirtualRedis redis;
    private final RegionModel model = new RegionModel();
    private final Limit[] limits = new Limit[LIMITS];
    private final List<Shard> shards;
    private final List<List<DueAccount>> inFlight = new ArrayList<>();
    private final Map<Known, Logged> log = new HashMap<>();
    private StoredIncarnation life;
    private long nowMicros;
    private long sequence;
    private int runs;

    ReportingWorld(SplittableRandom random, VirtualRedis redis, StoredIncarnation life) {
        this.random = random;
        this.redis = redis;
        this.life = life;
        this.nowMicros = life.number() + 1;
        identify(life.number());
        Quota terms = Quota.of(random.nextLong(1, 2_000), 0, WINDOW);
        for (int i = 0; i < LIMITS; i++) {
            limits[i] = switch (i) {
                case 0 -> SharedLimits.escrow("p0", 1, terms);
                case 1 -> SharedLimits.converge("p1", Algorithm.GCRA, AfterHeal.CAP, 1, terms);
                case GLOBAL_LIMITS -> World.limit("own", Algorithm.FIXED_WINDOW, false, "k", terms);
                case GLOBAL_LIMITS + 1 -> World.limit("shadow", Algorithm.TOKEN_BUCKET, true, "k", terms);
                default -> SharedLimits.converge("p" + i, Algorithm.FIXED_WINDOW, AfterHeal.FORGIVE, 1, terms);
            };
        }
        this.shards = Stream.of(limits)
                .limit(GLOBAL_LIMITS)
                .map(TestKeys.KEYS::shard)
                .distinct()
                .toList();
    }

    private void identify(long micros) {
        assertThat(model.identify(new Server("run-" + runs, "replication", 0), 0, micros)
                        .number())
                .isEqualTo(life.number());
    }

    void step() {
        nowMicros += random.nextInt(3) == 0 ? random.nextLong(3_000_000) : random.nextLong(100_000);
        redis.at(nowMicros);
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4, 5 -> ask();
            case 6 -> hear(random.nextInt(GLOBAL_LIMITS));
            case 7, 8 -> collect(random.nextInt(1, 5));
            case 9 -> acknowledge();
            case 10 -> begin();
            default -> inFlight.removeIf(dies -> random.nextBoolean());
        }
    }

    private long backMicros() {
        return random.nextBoolean() ? 0 : random.nextLong(90_000_000);
    }

    private void ask() {
        FloorOffer offer = new FloorOffer(random.nextLong(50), 0, Long.MAX_VALUE);
        redis.offer(offer);
        List<CounterRequest> group = new ArrayList<>();
        int first = random.nextInt(LIMITS);
        int size = random.nextBoolean() ? 1 : random.nextInt(2, LIMITS);
        for (int i = 0; i < size; i++) {
            group.add(request(limits[(first + i) % LIMITS]));
        }
        assertThat(redis.ask(group))
                .as("replies to %s at %d", group, nowMicros)
                .isEqualTo(model.count(group, life.number(), nowMicros, limit -> offer));
        for (CounterRequest request : group) {
            agree(request.limit());
        }
    }

    private CounterRequest request(Limit limit) {
        long cost = random.nextLong(1, 30);
        return switch (random.nextInt(12)) {
            case 0 -> new CounterRequest.Refund(limit, cost, nowMicros - backMicros());
            case 1 -> new CounterRequest.Charge(limit, cost, nowMicros - backMicros());
            case 2 -> new CounterRequest.Peek(limit, cost);
            case 3 -> random.nextInt(4) == 0 ? new CounterRequest.Reset(limit) : new CounterRequest.Peek(limit, 1);
            case 4 -> new CounterRequest.Take(limit, cost, 20, 100_000, random.nextLong(40), random.nextLong(-1, 20));
            case 5 -> new CounterRequest.Take(limit, 40 * cost, 0, 0);
            default -> new CounterRequest.Take(limit, cost, 0, 0);
        };
    }

    private void agree(Limit limit) {
        if (!limit.policy().id().startsWith("p")) {
            return;
        }
        long start = WINDOW.startMicros(nowMicros);
        LimitWindow window = new LimitWindow(limit.policy().id(), limit.key(), start);
        assertThat(PackedBook.bare(redis.book(limit, start).orElse(WindowAccount.EMPTY)))
                .as("account of %s at %d", window, nowMicros)
                .isEqualTo(PackedBook.bare(model.account(life.number(), window)));
    }

    /** Tells what others used; in escrow grants more, or calls back. */
    private void hear(int which) {
        long start = WINDOW.startMicros(nowMicros);
        LimitWindow window = new LimitWindow(limits[which].policy().id(), limits[which].key(), start);
        long keep = which > 0 || random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(20);
        long granted = which > 0 ? 0 : model.account(life.number(), window).granted() + random.nextLong(100);
        long elsewhere = which > 0 ? random.nextLong(60) : 0;
        WindowVerdict verdict = new WindowVerdict(1, ++sequence, elsewhere, false, 1, 7, granted, keep);
        VerdictRecord said = SharedLimits.record(limits[which], start, life, verdict);
        redis.hear(List.of(said));
        model.apply(life.number(), window, said.rule().countedUntilMicros(start), verdict, nowMicros);
        agree(limits[which]);
    }

    /** Sometimes the server restarts with its data: accounts of the incarnation before are still to be reported. */
    private void begin() {
        if (random.nextInt(4) == 0) {
            life = new StoredIncarnation(nowMicros);
            runs++;
            identify(nowMicros);
            redis.begin(life);
        }
    }

    private void collect(int max) {
        Map<Known, Due> expected = model.copied().due(life.number(), ALL, nowMicros).stream()
                .collect(Collectors.toMap(due -> new Known(due.incarnation(), due.window()), due -> due));
        List<DueAccount> books = redis.due(shards, max);
        assertThat(books).as("due at %d of %s", nowMicros, expected).hasSize(Math.min(max, expected.size()));
        for (DueAccount book : books) {
            Due due = Objects.requireNonNull(expected.get(Known.of(book)), () -> book + " is not due");
            WindowAccount account = due.account();
            assertThat(book)
                    .isEqualTo(new DueAccount(
                            due.window(),
                            due.incarnation(),
                            new UsageCount(account.taken(), account.returned()),
                            due.ownLimit(),
                            account.grantReturned(),
                            account.refused(),
                            account.floor(),
                            account.requested(),
                            book.shard(),
                            book.handle()));
            assertThat(claim(book)).isEqualTo(due.claim());
        }
        List<Known> taken = books.stream().map(Known::of).toList();
        for (Known each : taken) {
            model.claim(each.incarnation, each.window, nowMicros);
        }
        if (!books.isEmpty()) {
            inFlight.add(books);
        }
    }

    private static long claim(DueAccount book) {
        byte[] handle = book.handle().getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.wrap(handle, handle.length - Long.BYTES, Long.BYTES).getLong();
    }

    /** The log takes a batch, and the acknowledgement arrives or does not. */
    private void acknowledge() {
        if (inFlight.isEmpty()) {
            return;
        }
        List<DueAccount> books = inFlight.remove(random.nextInt(inFlight.size()));
        books.forEach(book -> log.merge(
                Known.of(book),
                Logged.of(book),
                (a, b) -> new Logged(
                        a.count.merge(b.count),
                        Math.max(a.grantReturned, b.grantReturned),
                        Math.max(a.floor, b.floor))));
        if (random.nextInt(4) > 0) {
            reported(books);
        }
    }

    private void reported(List<DueAccount> books) {
        redis.reported(books);
        books.forEach(book -> model.reported(life.number(), book.limit(), book.incarnation(), claim(book), nowMicros));
    }

    /** After what is in flight is lost, one live instance reports all that is left. */
    void quiet() {
        inFlight.clear();
        assertThat(redis.keysForEver()).containsExactly(StoredIncarnation.KEY);
        for (int i = 0; i < 4; i++) {
            nowMicros += QUIET_MICROS;
            redis.at(nowMicros);
            collect(ALL);
            for (List<DueAccount> books : inFlight) {
                books.forEach(book -> log.put(Known.of(book), Logged.of(book)));
                reported(books);
            }
            inFlight.clear();
        }
        model.states().forEach((id, state) -> state.accounts()
                .forEach((start, account) -> isLogged(
                        new Known(id.incarnation(), new LimitWindow(id.policyId(), id.key(), start)), account)));
        List<String> dirty = shards.stream()
                .map(shard -> SetTime.name(CounterKey.dirty(shard)))
                .toList();
        assertThat(redis.keys()).as("no shard is dirty").noneMatch(key -> dirty.contains(SetTime.name(key)));
        assertThat(redis.keysForEver()).containsExactly(StoredIncarnation.KEY);
    }

    /** A floor is reported with a change; an account of which nothing changed was never due. */
    private void isLogged(Known id, WindowAccount account) {
        Logged whole = new Logged(
                new UsageCount(account.taken(), account.returned()), account.grantReturned(), account.floor());
        Logged known = log.getOrDefault(id, new Logged(UsageCount.ZERO, 0, account.floor()));
        assertThat(known).as("reported account of %s", id).isEqualTo(whole);
    }
}
