package io.meridian.client;

import io.meridian.client.CheckDecision.Head;
import io.meridian.client.CheckDecision.LimitStatus;
import io.meridian.client.CheckRequest.Question;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the last answers, by question: refusals until they may change, and the limits for when no limiter answers. Bounded: a question
 * above the bound is not remembered until idle ones are forgotten, which {@link #forgetIdle} does.
 *
 * <p>A refusal is believed for one second less than its {@code retry_after}, which is rounded up to whole seconds, and never longer than
 * {@code refusalMemory}, for units may be given back. So a refusal of less than a second is not remembered at all.
 */
final class QuestionMemory {
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY = 429;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Question, Entry> entries = new ConcurrentHashMap<>();
    private final int entriesMax;
    private final long leaseTtlNanos;
    private final Duration refusalMemory;
    private final ClientClock clock;
    private final LocalLimits local;

    QuestionMemory(ClientSettings settings, ClientClock clock) {
        this.entriesMax = settings.memoryMax();
        this.leaseTtlNanos = settings.leaseTtl().toNanos();
        this.refusalMemory = settings.refusalMemory();
        this.clock = clock;
        this.local = new LocalLimits(settings, clock);
    }

    /** Knowledge of one question. */
    static final class Entry {
        private volatile @Nullable Refusal refusal;
        private volatile @Nullable Head last;
        private volatile long usedNanos;
        final LeaseHolder leases;

        Entry(long ttlNanos) {
            this.leases = new LeaseHolder(ttlNanos);
        }

        /** Whether it is worth nothing any more. */
        private boolean isIdle(long nowNanos, long idleNanos) {
            return nowNanos - usedNanos > idleNanos && !leases.holds();
        }
    }

    private record Refusal(Head head, long cost, long untilNanos) {}

    /** Null if nothing is known and nothing more can be remembered. */
    @Nullable Entry of(Question question, long nowNanos) {
        Entry known = entries.get(question);
        if (known == null) {
            if (entries.size() >= entriesMax) {
                return null;
            }
            known = entries.computeIfAbsent(question, absent -> new Entry(leaseTtlNanos));
        }
        known.usedNanos = nowNanos;
        return known;
    }

    int size() {
        return entries.size();
    }

    /** The refusal that also holds for this cost, or null. */
    static @Nullable Head refusal(Entry entry, long cost, long nowNanos) {
        Refusal known = entry.refusal;
        return known != null && cost >= known.cost && nowNanos - known.untilNanos < 0 ? known.head : null;
    }

    /** Takes in an answer of a limiter. */
    void learn(Entry entry, long cost, Head head) {
        if (!head.limits().isEmpty()) {
            entry.last = head;
            local.learn(head);
        }
        long millis = 0;
        if (head.status() == FORBIDDEN || (head.status() == TOO_MANY && head.retryAfterSeconds() < 0)) {
            millis = refusalMemory.toMillis();
        } else if (head.status() == TOO_MANY) {
            millis = Math.min(refusalMemory.toMillis(), (head.retryAfterSeconds() - 1) * 1_000);
        }
        entry.refusal = millis > 0 && cost > 0 ? new Refusal(head, cost, clock.nanosIn(millis)) : null;
    }

    /** Decision of this client alone, by the limits of the last answer. */
    Head local(@Nullable Entry entry, long cost) {
        Head last = entry == null ? null : entry.last;
        return local.decide(last, cost);
    }

    /** Forgets what was not used for a while; anything that is not in use right now if the memory is full. */
    void forgetIdle() {
        long nowNanos = clock.nanos();
        boolean full = entries.size() >= entriesMax;
        entries.values().removeIf(entry -> entry.isIdle(nowNanos, full ? IDLE_NANOS / 100 : IDLE_NANOS));
        local.forgetEnded();
    }

    /**
     * Limits counted by this client alone, while no limiter answers: each may admit its factor of the limit per window. The window is not
     * part of an answer; the longest time to a reset that was seen of a policy stands for it, at least a second.
     */
    static final class LocalLimits {
        private static final int POLICIES_MAX = 1_000;
        private static final long WINDOW_MIN_MILLIS = 1_000;

        private final Map<String, Long> windowMillis = new ConcurrentHashMap<>();
        private final Map<String, Window> windows = new ConcurrentHashMap<>();
        private final double factor;
        private final int windowsMax;
        private final ClientClock clock;

        LocalLimits(ClientSettings settings, ClientClock clock) {
            this.factor = settings.localFactor();
            this.windowsMax = settings.memoryMax();
            this.clock = clock;
        }

        private static final class Window {
            private long untilNanos;
            private long used;
        }

        void learn(Head head) {
            for (LimitStatus limit : head.limits()) {
                if (limit.resetAt() == null
                        || (windowMillis.size() >= POLICIES_MAX && !windowMillis.containsKey(limit.policy()))) {
                    continue;
                }
                long millis = limit.resetAt().toEpochMilli() - clock.wallMillis();
                Long known = windowMillis.get(limit.policy());
                if (known == null || known < millis) {
                    windowMillis.put(limit.policy(), Math.max(WINDOW_MIN_MILLIS, millis));
                }
            }
        }

        /** All limits admit, or none is charged. */
        synchronized Head decide(@Nullable Head last, long cost) {
            if (last == null) {
                return Head.unavailable(true, "");
            }
            for (LimitStatus limit : last.limits()) {
                Window window = window(limit);
                if (window != null && !limit.shadow() && window.used + cost > allowance(limit)) {
                    return refused(last, limit, window);
                }
            }
            for (LimitStatus limit : last.limits()) {
                Window window = window(limit);
                if (window != null) {
                    window.used += cost;
                }
            }
            return Head.unavailable(true, "");
        }

        private long allowance(LimitStatus limit) {
            return (long) Math.ceil(limit.limit() * factor);
        }

        /** Null where nothing more can be counted: then it is allowed, as what is not known. */
        private @Nullable Window window(LimitStatus limit) {
            String key = limit.policy() + ' ' + limit.key();
            Window window = windows.get(key);
            if (window == null) {
                if (windows.size() >= windowsMax || limit.limit() < 0) {
                    return null;
                }
                window = new Window();
                window.untilNanos = clock.nanos();
                windows.put(key, window);
            }
            if (clock.isPast(window.untilNanos)) {
                window.used = 0;
                window.untilNanos = clock.nanosIn(windowMillis.getOrDefault(limit.policy(), WINDOW_MIN_MILLIS));
            }
            return window;
        }

        private Head refused(Head last, LimitStatus limit, Window window) {
            long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(window.untilNanos - clock.nanos()) + 1);
            return new Head(
                    TOO_MANY,
                    false,
                    limit.policy(),
                    allowance(limit),
                    Math.max(0, allowance(limit) - window.used),
                    null,
                    seconds,
                    0,
                    List.of(),
                    true,
                    last.region(),
                    List.of(),
                    "urn:meridian:problem:limit-exceeded",
                    "The limit is exceeded",
                    "policy " + limit.policy() + " is counted by this client alone; retry after " + seconds + " s",
                    last.upgradeUrl(),
                    Map.of());
        }

        synchronized void forgetEnded() {
            windows.values().removeIf(window -> clock.isPast(window.untilNanos));
        }
    }
}
