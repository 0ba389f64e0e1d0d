package io.meridian.drill.sample;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Subject.Sharing;
import io.meridian.testkit.TestSeeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A region is cut off for 20 s of a drill of 60 s, and every promise holds: what a test breaks in one place.
 *
 * <p>Warm-up from 0 s, control from 5 s, the fault from 20 s, its end and the recovery from 40 s, quiet from 55 s. Windows of 5 s
 * begin with the drill. Five regions ask each of three limits 20 times a second each.
 */
public final class SampleDrill {
    public static final String CUT = "ap-south";
    public static final List<String> REGIONS = List.of("us-east", "us-west", "eu-west", CUT, "ap-northeast");
    public static final long LIMIT = 300;
    public static final long REGIONAL_LIMIT = 60;
    public static final Duration WINDOW = Duration.ofSeconds(5);
    public static final Instant STARTED = Instant.parse("2026-01-15T10:00:00Z");
    public static final Subject ESCROW = new Subject("drill-escrow", "user_id=1", Sharing.ESCROW, LIMIT, WINDOW);
    public static final Subject CONVERGE = new Subject("drill-converge", "user_id=1", Sharing.CONVERGE, LIMIT, WINDOW);
    public static final Subject REGIONAL =
            new Subject("drill-regional", "user_id=1", Sharing.REGIONAL, REGIONAL_LIMIT, WINDOW);

    private static final long LOAD_END_NANOS = TimeUnit.SECONDS.toNanos(55);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Random random = new Random(TestSeeds.KNOWN);
    private final Map<String, Long> used = new HashMap<>();
    private List<Event> events = new ArrayList<>();
    private String drill = "cut-one-region";
    private String title = "One region is cut off from the world";

    /** The drill in which nothing went wrong. */
    public SampleDrill() {
        phases();
        for (long at = 0; at < LOAD_END_NANOS; at += STEP_NANOS) {
            for (String region : REGIONS) {
                events.add(escrow(at, region));
                events.add(converge(at, region));
                events.add(regional(at, region));
            }
        }
        samples();
        events.sort(Comparator.comparingLong(Event::atNanos));
        events.addAll(told());
    }

    public SampleDrill named(String name, String description) {
        drill = name;
        title = description;
        return this;
    }

    public SampleDrill without(Predicate<Event> which) {
        events.removeIf(which);
        return this;
    }

    public SampleDrill with(Event event) {
        events.add(event);
        return this;
    }

    /** Changes the checks that are meant. */
    public SampleDrill checks(Predicate<Checked> which, UnaryOperator<Checked> change) {
        events = new ArrayList<>(events.stream()
                .map(event -> event instanceof Checked checked && which.test(checked) ? change.apply(checked) : event)
                .toList());
        return this;
    }

    /** Tells of the usage anew, after checks were changed. */
    public SampleDrill toldAnew() {
        events.removeIf(Event.UsageReported.class::isInstance);
        events.addAll(told());
        return this;
    }

    /** The machine has no core for the load, within these seconds: every tenth check is sent 84 ms late. */
    public SampleDrill starved(double from, double to) {
        int[] number = {0};
        return checks(check -> between(check, from, to) && number[0]++ % 10 == 0, Changes.late(84));
    }

    public DrillHistory history() {
        return new DrillHistory(drill, title, STARTED, REGIONS, List.of(ESCROW, CONVERGE, REGIONAL), events);
    }

    /** Whether it was sent within these seconds. */
    public static boolean between(Checked check, double from, double to) {
        return check.atNanos() >= seconds(from) && check.atNanos() < seconds(to);
    }

    public static long seconds(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    /** The end of the window that is open then. */
    public static long windowEnd(long nanos) {
        long number = nanos / WINDOW.toNanos() + 1;
        return TimeUnit.SECONDS.toMicros(STARTED.getEpochSecond())
                + number * TimeUnit.NANOSECONDS.toMicros(WINDOW.toNanos());
    }

    private void phases() {
        events.add(new Event.PhaseBegan(0, Phase.WARM_UP));
        events.add(new Event.PhaseBegan(seconds(5), Phase.CONTROL));
        events.add(new Event.PhaseBegan(seconds(20), Phase.FAULT));
        events.add(new Event.FaultBegan(
                seconds(20), "cut-" + CUT, SampleFaults.cut(CUT), CUT + " cut off from Kafka, both directions"));
        events.add(new Event.NetworkSplit(seconds(20), 2));
        events.add(new Event.FaultEnded(seconds(40), "cut-" + CUT));
        events.add(new Event.NetworkSplit(seconds(40), 1));
        events.add(new Event.PhaseBegan(seconds(40), Phase.RECOVERY));
        events.add(new Event.Recovered(seconds(42), "every region answers as before"));
        events.add(new Event.PhaseBegan(seconds(55), Phase.QUIET));
        events.add(new Event.ActivityEnded(seconds(20), seconds(20.1), "cut " + CUT, "action", true, "done"));
    }

    private static boolean isCut(long at, String region) {
        return region.equals(CUT) && at >= seconds(20) && at < seconds(40);
    }

    /** Cut off, a region has a tenth in hand; the others share the rest. */
    private Checked escrow(long at, String region) {
        boolean cutNow = at >= seconds(20) && at < seconds(40);
        String pot = cutNow ? (isCut(at, region) ? "cut" : "rest") : "all";
        long most = cutNow ? (isCut(at, region) ? LIMIT / 10 : LIMIT - LIMIT / 10) : LIMIT;
        return decided(at, region, ESCROW.policy(), pot, most);
    }

    private Checked converge(long at, String region) {
        String pot = isCut(at, region) ? "cut" : "rest";
        // News take a while: some more than the limit gets in.
        return decided(at, region, CONVERGE.policy(), pot, LIMIT + 8);
    }

    private Checked regional(long at, String region) {
        return decided(at, region, REGIONAL.policy(), region, REGIONAL_LIMIT);
    }

    private Checked decided(long at, String region, String policy, String pot, long most) {
        long end = windowEnd(at);
        long now = used.merge(policy + pot + end, 1L, Long::sum);
        long tookNanos = TimeUnit.MICROSECONDS.toNanos(400 + random.nextInt(900));
        Outcome outcome = now <= most ? Outcome.ALLOWED : Outcome.DENIED;
        return new Checked(at, 300, at + tookNanos, region, policy, outcome, end, false, false, "");
    }

    private void samples() {
        for (long at = 0; at < LOAD_END_NANOS + seconds(4); at += seconds(0.5)) {
            for (String region : REGIONS) {
                boolean cut = region.equals(CUT) && at >= seconds(20) && at < seconds(41.5);
                double silent = cut ? (at - seconds(20)) / 1e6 : 40 + random.nextInt(160);
                double max = region.equals(CUT) && at >= seconds(41.5) ? 20_140 : 190 + random.nextInt(60);
                events.add(new Event.LoopSampled(at, region, 150, cut ? Double.NaN : max, silent));
            }
        }
        for (int partition = 0; partition < 16; partition++) {
            events.add(new Event.LeaderObserved(0, partition, partition % 2 == 0 ? "sync-1" : "sync-2", 3));
        }
    }

    private List<Event> told() {
        record Place(String policy, String region, long end) {}
        Map<Place, Long> counts = new HashMap<>();
        for (Event event : events) {
            if (event instanceof Checked checked && checked.outcome() == Outcome.ALLOWED) {
                counts.merge(new Place(checked.policy(), checked.region(), checked.windowEndMicros()), 1L, Long::sum);
            }
        }
        List<Event> told = new ArrayList<>();
        counts.forEach((place, count) ->
                told.add(new Event.UsageReported(seconds(60), place.policy(), place.region(), place.end(), count)));
        return told;
    }
}
