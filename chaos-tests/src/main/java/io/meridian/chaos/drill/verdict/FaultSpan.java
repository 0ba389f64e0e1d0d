package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Event.FaultBegan;
import io.meridian.chaos.drill.history.Event.FaultEnded;
import io.meridian.chaos.drill.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fault from its begin to its end.
 *
 * @param toNanos the end of the drill where it never ended
 */
public record FaultSpan(String fault, String words, long fromNanos, long toNanos, boolean ended) {
    private static final Pattern LEADER = Pattern.compile("(?i)leader");
    private static final Pattern LIMITER_KILLED = Pattern.compile("(?i)(?=.*limiter)(?=.*kill)");
    private static final Pattern REDIS_LOST = Pattern.compile("(?i)(?=.*redis)(?=.*(kill|wip|flush))");
    private static final Pattern DELAYS = Pattern.compile("(?i)network|leader|sync-|kafka|redis|restart");

    /** {@code ap-south is 300ms further from Kafka}, or {@code 300ms ± 20ms}. */
    private static final Pattern FURTHER = Pattern.compile("is (\\d{1,6}) ?(ms|s)(?: ± (\\d{1,6}) ?(ms|s))? further");

    /** One that begins again has another span. */
    static List<FaultSpan> all(History history, long endNanos) {
        Map<String, FaultBegan> open = new LinkedHashMap<>();
        List<FaultSpan> spans = new ArrayList<>();
        for (Event event : history.events()) {
            if (event instanceof FaultBegan began) {
                open.putIfAbsent(began.fault(), began);
            } else if (event instanceof FaultEnded ended && open.containsKey(ended.fault())) {
                spans.add(of(open.remove(ended.fault()), ended.atNanos(), true));
            }
        }
        open.values().forEach(began -> spans.add(of(began, endNanos, false)));
        spans.sort(Comparator.comparingLong(FaultSpan::fromNanos));
        return List.copyOf(spans);
    }

    private static FaultSpan of(FaultBegan began, long toNanos, boolean ended) {
        return new FaultSpan(began.fault(), began.words(), began.atNanos(), toNanos, ended);
    }

    /** Whether it is meant to take a leader away. */
    boolean isOfLeader() {
        return LEADER.matcher(said()).find();
    }

    /** Whether it is done to the part of that name, and not to one whose name begins the same. */
    boolean isOfPart(String name) {
        return Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])")
                .matcher(words)
                .find();
    }

    /** Whether it kills a limiter of that region: what that held counts as spent. */
    boolean killsLimiter(String region) {
        return LIMITER_KILLED.matcher(said()).find() && isOf(region);
    }

    /** Whether the Redis of that region loses what it was not asked for yet. */
    boolean losesRedis(String region) {
        return REDIS_LOST.matcher(said()).find() && isOf(region);
    }

    /** Parts are named {@code redis-REGION}, {@code limiter-REGION} and {@code limiter-REGION-2}; a region may begin as another does. */
    private boolean isOf(String region) {
        return Pattern.compile("(?<![\\w-])((redis|limiter)-)?" + Pattern.quote(region) + "(-\\d+)?(?![\\w-])")
                .matcher(words)
                .find();
    }

    /** Whether it may hold up what regions tell the centre or hear of it. */
    boolean delaysLoop() {
        return DELAYS.matcher(said()).find();
    }

    /** What it adds to a link, one way, if it is such a delay; the jitter as far as it is told. */
    OptionalDouble furtherMillis() {
        Matcher further = FURTHER.matcher(words);
        return further.find()
                ? OptionalDouble.of(
                        millis(further.group(1), further.group(2)) + millis(further.group(3), further.group(4)))
                : OptionalDouble.empty();
    }

    private static double millis(@Nullable String number, @Nullable String unit) {
        if (number == null || unit == null) {
            return 0;
        }
        return Double.parseDouble(number) * (unit.equals("s") ? TimeUnit.SECONDS.toMillis(1) : 1);
    }

    boolean beginsDuring(long from, long to) {
        return fromNanos >= from && fromNanos <= to;
    }

    boolean overlaps(long from, long to) {
        return fromNanos < to && toNanos >= from;
    }

    private String said() {
        return fault + " " + words;
    }
}
