package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.redis.CounterCodec.LimitText;
import io.meridian.limiter.redis.PackedField.Cursor;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.limiter.region.RegionAccounts.DueAccounts;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.match.Shard;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.VerdictRecord;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Accounts of global limits in Redis: one call for all shards, in a cluster one for each. */
@Singleton
class RedisAccounts implements RegionAccounts {
    private static final Duration WITHIN = Duration.ofSeconds(1);
    /** Nothing of a region's grants is called back. */
    static final long KEEP_ALL = -1;

    private static final byte[] NOTHING = "0".getBytes(StandardCharsets.US_ASCII);

    private final RedisCounters counters;
    private final RedisIncarnations incarnations;
    private final TouchedShards touched;
    private final LimitKeys keys;
    private final boolean cluster;
    private final Script collect = Script.load(List.of("lib/call", "lib/account", "collect"));
    private final Script reported = Script.load(List.of("lib/call", "lib/account", "reported"));
    private final Script verdict = Script.load(List.of("lib/call", "lib/account", "verdict"));

    RedisAccounts(
            RedisCounters counters,
            RedisIncarnations incarnations,
            TouchedShards touched,
            LimitKeys keys,
            RedisConfig config) {
        this.counters = counters;
        this.incarnations = incarnations;
        this.touched = touched;
        this.keys = keys;
        this.cluster = config.mode() == RedisClientType.CLUSTER;
    }

    @Override
    public OptionalLong incarnation() {
        return incarnations
                .known()
                .map(incarnation -> OptionalLong.of(incarnation.number()))
                .orElseGet(OptionalLong::empty);
    }

    @Override
    public Collection<Shard> toVisit() {
        return touched.toVisit();
    }

    @Override
    public CompletionStage<DueAccounts> due(Collection<Shard> shards, int max) {
        return each(shards, shard -> shard, (some, incarnation) -> run(collect, request -> {
                            request.arg(some.size() + 1);
                            some.forEach(shard -> request.arg(CounterKey.dirty(shard)));
                            return request.arg(incarnation.key(some.get(0)))
                                    .arg(Integer.toString(max))
                                    .arg(incarnation.packed());
                        })
                        .thenApply(answer -> DueReader.read(answer, some)))
                .thenApply(DueReader::joined);
    }

    @Override
    public CompletionStage<Void> reported(List<DueAccount> accounts) {
        return each(
                        accounts,
                        DueAccount::shard,
                        (some, incarnation) -> run(reported, request -> {
                            request.arg(some.size() + 1);
                            some.forEach(account -> request.arg(CounterKey.dirty(account.shard())));
                            request.arg(incarnation.key(some.get(0).shard()))
                                    .arg(NOTHING)
                                    .arg(incarnation.packed());
                            some.forEach(
                                    account -> request.arg(account.handle().getBytes(StandardCharsets.ISO_8859_1)));
                            return request;
                        }))
                .thenAccept(done -> {});
    }

    /** Applies verdicts on the current incarnation. Drops all others, because their grants do not hold for it. */
    @Override
    public CompletionStage<Void> apply(List<VerdictRecord> verdicts) {
        return each(verdicts, this::shard, (all, incarnation) -> {
                    List<VerdictRecord> some = VerdictWriter.to(incarnation, all);
                    if (some.isEmpty()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    some.forEach(each -> touched.note(shard(each)));
                    return run(
                                    verdict,
                                    request -> VerdictWriter.write(
                                            request, some, keys, incarnation, incarnation.key(shard(some.get(0)))))
                            .thenAccept(done -> {});
                })
                .thenAccept(done -> {});
    }

    private Shard shard(VerdictRecord said) {
        return keys.shard(said.limit().policyId(), said.limit().key());
    }

    private CompletionStage<Response> run(Script script, Function<Request, Request> told) {
        return counters.onLane(lane -> lane.run(script, told, WITHIN));
    }

    /** Calls for all at once, or in a cluster for those of one shard each. */
    private <T, R> CompletionStage<List<R>> each(
            Collection<T> all,
            Function<T, Shard> shard,
            BiFunction<List<T>, StoredIncarnation, CompletionStage<R>> call) {
        StoredIncarnation incarnation = incarnations.known().orElse(null);
        if (incarnation == null) {
            return CompletableFuture.failedFuture(new RegionUnavailable("the region has not answered yet"));
        }
        Map<Integer, List<T>> calls = new LinkedHashMap<>();
        for (T each : all) {
            int node = cluster ? shard.apply(each).number() : 0;
            calls.computeIfAbsent(node, absent -> new ArrayList<>()).add(each);
        }
        List<CompletableFuture<R>> answers = calls.values().stream()
                .map(some -> call.apply(some, incarnation).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    /** Fields of an account that collect.lua replies, before its policy and key. */
    enum DueField implements PackedField {
        KEY(Width.U16),
        START(Width.U64),
        INCARNATION(Width.U64),
        TAKEN(Width.U64),
        RETURNED(Width.U64),
        OWN_LIMIT(Width.U64),
        GRANT_RETURNED(Width.U64),
        REFUSED(Width.U64),
        FLOOR(Width.S64),
        REQUESTED(Width.U64);

        private final Width width;

        DueField(Width width) {
            this.width = width;
        }

        @Override
        public Width width() {
            return width;
        }
    }

    /** Fields of a verdict as verdict.lua reads it, before its policy and key. */
    enum VerdictField implements PackedField {
        START(Width.U64),
        COUNTED_UNTIL(Width.U64),
        EPOCH(Width.U64),
        SEQUENCE(Width.U64),
        USED_ELSEWHERE(Width.U64),
        VERSION(Width.U64),
        LIMIT(Width.U64),
        GRANTED(Width.U64),
        KEEP(Width.S64),
        BLOCKED(Width.U8);

        private final Width width;

        VerdictField(Width width) {
            this.width = width;
        }

        @Override
        public Width width() {
            return width;
        }
    }

    /** Reader of what collect.lua replies: its header names every field. */
    static final class DueReader {
        private static final int PARTS = 3;

        private DueReader() {}

        static DueAccounts read(Response answer, List<Shard> shards) {
            List<DueAccount> accounts = new ArrayList<>();
            for (int i = 1; i + PARTS <= answer.size(); i += PARTS) {
                Cursor numbers = new Cursor(answer.get(i).toBuffer(), 0);
                LimitText text = LimitText.read(answer.get(i + 1).toBuffer(), 0);
                Shard shard = shards.get((int) numbers.next(DueField.KEY) - 1);
                accounts.add(new DueAccount(
                        new LimitWindow(text.policyId(), text.key(), numbers.next(DueField.START)),
                        numbers.next(DueField.INCARNATION),
                        new UsageCount(numbers.next(DueField.TAKEN), numbers.next(DueField.RETURNED)),
                        numbers.next(DueField.OWN_LIMIT),
                        numbers.next(DueField.GRANT_RETURNED),
                        numbers.next(DueField.REFUSED),
                        numbers.next(DueField.FLOOR),
                        numbers.next(DueField.REQUESTED),
                        shard,
                        new String(answer.get(i + 2).toBytes(), StandardCharsets.ISO_8859_1)));
            }
            return new DueAccounts(accounts, answer.get(0).toBuffer().getLong(0));
        }

        static DueAccounts joined(List<DueAccounts> parts) {
            List<DueAccount> accounts = new ArrayList<>();
            long nowMicros = 0;
            for (DueAccounts part : parts) {
                accounts.addAll(part.accounts());
                nowMicros = Math.max(nowMicros, part.nowMicros());
            }
            return new DueAccounts(accounts, nowMicros);
        }
    }

    /** Writer of verdicts as verdict.lua reads them: its header names every byte. */
    static final class VerdictWriter {
        private static final int BYTES_OF_A_VERDICT = 160;

        private VerdictWriter() {}

        /** Those that were said to this incarnation. */
        static List<VerdictRecord> to(StoredIncarnation incarnation, List<VerdictRecord> verdicts) {
            return verdicts.stream()
                    .filter(said -> said.incarnation().number() == incarnation.number())
                    .toList();
        }

        static Request write(
                Request request,
                List<VerdictRecord> verdicts,
                LimitKeys keys,
                StoredIncarnation incarnation,
                byte[] lifeKey) {
            request.arg(verdicts.size() + 1);
            verdicts.forEach(said -> request.arg(CounterKey.shared(
                    keys, said.limit().policyId(), said.limit().key(), incarnation)));
            request.arg(lifeKey).arg("0").arg(incarnation.packed());
            verdicts.forEach(said -> request.arg(packed(said)));
            return request;
        }

        private static Buffer packed(VerdictRecord said) {
            long start = said.limit().startMicros();
            Buffer packed = Buffer.buffer(BYTES_OF_A_VERDICT);
            VerdictField.START.append(packed, start);
            VerdictField.COUNTED_UNTIL.append(packed, said.rule().countedUntilMicros(start));
            VerdictField.EPOCH.append(packed, said.epoch());
            VerdictField.SEQUENCE.append(packed, said.sequence());
            VerdictField.USED_ELSEWHERE.append(packed, Math.min(said.usedElsewhere(), WindowAccount.MAX));
            VerdictField.VERSION.append(packed, Math.min(said.rule().policyVersion(), Integer.MAX_VALUE));
            VerdictField.LIMIT.append(packed, Math.min(said.rule().limit(), WindowAccount.MAX));
            VerdictField.GRANTED.append(packed, Math.min(said.granted(), WindowAccount.MAX));
            VerdictField.KEEP.append(packed, said.keep() == VerdictRecord.KEEP_ALL ? KEEP_ALL : said.keep());
            VerdictField.BLOCKED.append(packed, said.blocked() ? 1 : 0);
            LimitText.append(packed, said.limit().policyId(), said.limit().key());
            return packed;
        }
    }
}
