package io.meridian.limiter.operations;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.LimiterConfig.RequestIdConfig;
import io.meridian.limiter.decide.CheckDecider;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.decide.CheckResult.LimitResult;
import io.meridian.limiter.decide.Limiter.RequestIdReused;
import io.meridian.limiter.region.Ports.Timers;
import io.meridian.limiter.region.RegionStore;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Deduplication of checks by request id, at all instances of a region. An instance claims the id in the region's store, decides,
 * and stores the result there, which every repetition of the same check gets. An instance that claimed and died has answered
 * nobody: the next decides anew, and what the first may have taken counts as spent. So nobody is admitted who was not charged.
 *
 * <p>The claim and the answer begin with the digest of the check. Another check under the same id fails with
 * {@link RequestIdReused}: otherwise one admitted check would answer any number of dearer ones.
 */
@Singleton
class RequestIds {
    /** How often a check waits for a local one of the same id that may come to nothing. */
    private static final int TRIES_MAX = 3;

    /** The most that a decision takes but for the first grant of a limit, which has a time of its own, and as much again. */
    private static final Duration DECISION = Duration.ofMillis(500);

    private static final long LOOK_EVERY_MILLIS = 10;

    private final CheckDecider decider;
    private final CounterOperations operations;
    private final RegionStore store;
    private final CheckResultRecords records;
    private final Timers timers;
    private final RequestIdConfig config;
    /** A claimer that died is forgotten after this. */
    private final Duration claim;

    private final Cache<String, Remembered> recent;

    private record Remembered(String question, CompletableFuture<CheckResult> answer) {}

    /** Check with a request id, in progress. */
    private record Call(Check check, String requestId, String key, String question) {}

    RequestIds(
            CheckDecider decider,
            CounterOperations operations,
            RegionStore store,
            CheckResultRecords records,
            Timers timers,
            RequestIdConfig config,
            LeaseConfig leases) {
        this.decider = decider;
        this.operations = operations;
        this.store = store;
        this.records = records;
        this.timers = timers;
        this.config = config;
        this.claim = leases.grantWait().plus(DECISION);
        this.recent = Caffeine.newBuilder()
                .maximumSize(config.entries())
                .expireAfterWrite(config.memory())
                .build();
    }

    CompletionStage<CheckResult> check(Check check, String requestId) {
        Call call = new Call(check, requestId, Digest.key("q:", requestId), Digest.of(check));
        return check(call, TRIES_MAX);
    }

    private CompletionStage<CheckResult> check(Call call, int tries) {
        Remembered mine = new Remembered(call.question, new CompletableFuture<>());
        Remembered first = recent.asMap().putIfAbsent(call.key, mine);
        if (first == null) {
            return decided(call, mine);
        }
        if (first.question.equals(call.question)) {
            return first.answer;
        }
        if (tries == 0) {
            return reused(call);
        }
        // The other one may find that the id is not its own: it is then forgotten, and this one may have it.
        return first.answer
                .handle((ruling, failure) -> failure == null && !(ruling instanceof CheckResult.Undecided))
                .thenCompose(answered -> answered ? reused(call) : check(call, tries - 1));
    }

    private CompletionStage<CheckResult> decided(Call call, Remembered mine) {
        claim(call, looksMax()).whenComplete((ruling, failure) -> {
            if (failure == null) {
                mine.answer.complete(ruling);
            } else {
                recent.asMap().remove(call.key, mine);
                mine.answer.completeExceptionally(failure);
            }
        });
        return mine.answer;
    }

    private static CompletionStage<CheckResult> reused(Call call) {
        return CompletableFuture.failedFuture(new RequestIdReused(call.requestId));
    }

    /** As long as a claim lasts, twice: another that repeats it may claim it next, and die too. */
    private int looksMax() {
        return Math.toIntExact(2 * claim.toMillis() / LOOK_EVERY_MILLIS);
    }

    private CompletionStage<CheckResult> decide(Call call) {
        return decider.check(call.check).thenApply(ruling -> {
            if (ruling instanceof CheckResult.Undecided) {
                // Not an answer to hold on to: the next try may get one.
                recent.invalidate(call.key);
                store.take(call.key);
            } else {
                store.put(call.key, call.question + records.write(ruling), config.memory());
            }
            return ruling;
        });
    }

    /** Decides if nobody else does; a store that is away keeps nobody from it. */
    private CompletionStage<CheckResult> claim(Call call, int looks) {
        return store.putIfAbsent(call.key, call.question, claim)
                .exceptionally(away -> Optional.empty())
                .thenCompose(there -> there.isEmpty() ? decide(call) : repeat(call, there.get(), looks));
    }

    /** Another instance has it: waits for its answer, or until it has given up. One who cannot look does not know, and waits on. */
    private CompletionStage<CheckResult> repeat(Call call, String there, int looks) {
        if (!there.startsWith(call.question)) {
            return reused(call);
        }
        if (there.length() > Digest.HEX_LENGTH) {
            String answer = there.substring(Digest.HEX_LENGTH);
            CheckResult answered = records.read(answer, operations.limits(call.check));
            return CompletableFuture.completedFuture(decider.offering(answered, call.check));
        }
        if (looks == 0) {
            return decide(call);
        }
        CompletableFuture<Void> later = new CompletableFuture<>();
        timers.after(LOOK_EVERY_MILLIS, () -> later.complete(null));
        return later.thenCompose(due -> store.get(call.key).exceptionally(away -> Optional.of(call.question)))
                .thenCompose(now -> now.isEmpty() ? claim(call, looks - 1) : repeat(call, now.get(), looks - 1));
    }

    /**
     * SHA-256 of a sequence of values, cut to 128 bits. Every value is preceded by its length and every list by its size, so no two
     * sequences are written alike.
     */
    static final class Digest {
        static final int HEX_LENGTH = 32;
        private static final int BYTES = HEX_LENGTH / 2;

        private final MessageDigest sha;

        private Digest() {
            try {
                sha = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException("every JDK has SHA-256", impossible);
            }
        }

        /** Short key for a long text. */
        static String key(String prefix, String text) {
            return prefix + new Digest().text(text).hex();
        }

        /** Everything of a check that can change its answer. A field that a check gains belongs here too. */
        static String of(Check check) {
            return new Digest()
                    .entries(check.attributes())
                    .texts(check.segments())
                    .text(check.method())
                    .entries(check.headers())
                    .number(check.cost())
                    .texts(new TreeSet<>(check.policies()))
                    .hex();
        }

        private Digest entries(Map<String, String> entries) {
            number(entries.size());
            new TreeMap<>(entries).forEach((name, value) -> text(name).text(value));
            return this;
        }

        private Digest texts(Collection<String> texts) {
            number(texts.size());
            texts.forEach(this::text);
            return this;
        }

        private Digest text(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            number(bytes.length);
            sha.update(bytes);
            return this;
        }

        private Digest number(long number) {
            sha.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
            return this;
        }

        private String hex() {
            return HexFormat.of().formatHex(sha.digest(), 0, BYTES);
        }
    }

    /**
     * Codec of results as short-lived records of the region's store. Policies are named; a policy that has gone since is left out.
     */
    @Singleton
    static class CheckResultRecords {
        private static final ObjectMapper MAPPER = JsonMapper.builder().build();

        record Stored(
                long now,
                List<StoredLimit> limits,
                @Nullable String listedType,
                @Nullable String listed) {}

        record StoredLimit(
                String policy,
                boolean admitted,
                long limit,
                long remaining,
                long resetAt,
                long waitFor,
                DecidedBy decidedBy) {}

        String write(CheckResult ruling) {
            try {
                return MAPPER.writeValueAsString(stored(ruling));
            } catch (JsonProcessingException impossible) {
                throw new IllegalStateException("numbers and texts can be written", impossible);
            }
        }

        CheckResult read(String text, List<Limit> limits) {
            try {
                Stored stored = MAPPER.readValue(text, Stored.class);
                return stored.listedType != null && stored.listed != null
                        ? new CheckResult.Listed(stored.listedType, stored.listed)
                        : decided(stored, limits);
            } catch (JsonProcessingException malformed) {
                throw new IllegalStateException(
                        "a stored result of another version: " + malformed.getOriginalMessage(), malformed);
            }
        }

        private static Stored stored(CheckResult ruling) {
            if (ruling instanceof CheckResult.Listed listed) {
                return new Stored(0, List.of(), listed.identifierType(), listed.identifier());
            }
            if (!(ruling instanceof CheckResult.Decided decided)) {
                throw new IllegalArgumentException("only an answer is stored, got " + ruling);
            }
            List<StoredLimit> results = new ArrayList<>();
            for (int i = 0; i < decided.limits().size(); i++) {
                LimitDecision each = decided.limits().get(i).evaluated();
                Standing standing = each.standing();
                results.add(new StoredLimit(
                        each.limit().policy().id(),
                        each.admitted(),
                        standing.limit(),
                        standing.remaining(),
                        standing.resetAtMicros(),
                        each.waitMicros(),
                        decided.limits().get(i).decidedBy()));
            }
            return new Stored(decided.nowMicros(), results, null, null);
        }

        private static CheckResult decided(Stored stored, List<Limit> limits) {
            List<LimitResult> results = new ArrayList<>();
            for (StoredLimit each : stored.limits) {
                for (Limit limit : limits) {
                    if (limit.policy().id().equals(each.policy)) {
                        LimitDecision evaluated = new LimitDecision(
                                limit,
                                each.admitted,
                                new Standing(each.limit, each.remaining, each.resetAt),
                                each.waitFor,
                                CounterState.UNTOUCHED);
                        results.add(new LimitResult(evaluated, each.decidedBy, null));
                    }
                }
            }
            return CheckResult.Decided.of(results, stored.now);
        }
    }
}
