package io.meridian.drill.load;

import io.meridian.drill.definition.LoadPlan;
import io.meridian.drill.definition.LoadPlan.Arrival;
import io.meridian.drill.definition.LoadPlan.PolicyLoad;
import io.meridian.drill.history.Subject;
import io.meridian.drill.load.OpenLoopLoad.Lane;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Due times of the checks of one {@link Lane}. Fractions of a window leave room for clocks that differ. */
public interface SendSchedule {
    /** Begin and end of the first region's checks with {@link Arrival#FIRST_REGION}, as fractions of the window. */
    double FIRST_BEGIN = 0.05;

    double FIRST_END = 0.15;

    /**
     * Begin and end of the other regions' checks with {@link Arrival#FIRST_REGION}: with the default window more than 2 s after the limit was
     * used up, which is the longest loop delay that the bound accepts. Enough of the window is left for checks that wait for a grant.
     */
    double LATER_BEGIN = 0.65;

    double LATER_END = 0.7;

    /** Time of all checks with {@link Arrival#BURST}, as a fraction of the window. */
    double BURST_AT = 0.05;

    /**
     * Due time of the next check, if it is due by now; the schedule then moves on to the one after it.
     *
     * @param nowNanos since the start of the load, as is the result
     * @param wallMicros the same moment by the wall clock, which windows are aligned to
     */
    OptionalLong takeDue(long nowNanos, long wallMicros);

    /**
     * Schedules of all lanes of a load plan.
     *
     * @param nowNanos begin of the load, since the start of the drill
     */
    static Map<Lane, SendSchedule> all(LoadPlan plan, List<Subject> subjects, List<String> regions, long nowNanos) {
        Map<Lane, SendSchedule> schedules = new LinkedHashMap<>();
        for (Subject subject : subjects) {
            PolicyLoad policy = plan.policies().stream()
                    .filter(each -> each.sharing() == subject.sharing())
                    .findFirst()
                    .orElseThrow();
            for (int region = 0; region < regions.size(); region++) {
                schedules.put(
                        new Lane(regions.get(region), subject), of(plan, policy, region, regions.size(), nowNanos));
            }
        }
        return schedules;
    }

    private static SendSchedule of(LoadPlan plan, PolicyLoad policy, int region, int regions, long nowNanos) {
        return switch (policy.arrival()) {
            case EVEN -> ConstantRate.at(policy.perSecondAndRegion(plan.window(), regions), nowNanos);
            case FIRST_REGION ->
                region == 0
                        ? WindowRounds.evenly(plan.window(), FIRST_BEGIN, FIRST_END, policy.first())
                        : WindowRounds.evenly(plan.window(), LATER_BEGIN, LATER_END, policy.later(regions));
            case BURST -> WindowRounds.atOnce(plan.window(), BURST_AT, policy.burst(regions));
        };
    }

    /** Even schedule, at a rate that may change at any time. */
    final class ConstantRate implements SendSchedule {
        private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

        private double perSecond;
        /** Kept with its fraction of a nanosecond, because rounding errors would add up to a wrong rate. */
        private double nextNanos = Double.POSITIVE_INFINITY;

        public static ConstantRate at(double perSecond, long nowNanos) {
            ConstantRate schedule = new ConstantRate();
            schedule.change(perSecond, nowNanos);
            return schedule;
        }

        /**
         * Changes the rate; 0 stops the schedule.
         *
         * @param nowNanos since the start of the load
         */
        public synchronized void change(double toPerSecond, long nowNanos) {
            if (!(toPerSecond >= 0)) {
                throw new IllegalArgumentException("rate must not be negative, got " + toPerSecond);
            }
            // The elapsed part of the current interval stays elapsed at the new rate.
            double left = perSecond > 0 ? Math.max(0, nextNanos - nowNanos) * perSecond / NANOS_PER_SECOND : 1;
            perSecond = toPerSecond;
            nextNanos = perSecond > 0 ? nowNanos + left * NANOS_PER_SECOND / perSecond : Double.POSITIVE_INFINITY;
        }

        @Override
        public OptionalLong takeDue(long nowNanos, long wallMicros) {
            return takeDue(nowNanos);
        }

        synchronized OptionalLong takeDue(long nowNanos) {
            if (nextNanos > nowNanos) {
                return OptionalLong.empty();
            }
            long dueNanos = (long) nextNanos;
            nextNanos += NANOS_PER_SECOND / perSecond;
            return OptionalLong.of(dueNanos);
        }
    }

    /**
     * Checks at the same fraction of every window by the wall clock: evenly over a part of it, or all at once.
     *
     * <p>A check that was not sent before its window ended is skipped, because the next window would be charged for it. Not thread-safe.
     */
    final class WindowRounds implements SendSchedule {
        private static final long NONE = Long.MIN_VALUE;

        private final long windowMicros;
        private final long beginMicros;
        private final long lastsMicros;
        private final long checks;
        private long startMicros = NONE;
        private long next;

        private WindowRounds(Duration window, double begin, double end, long checks) {
            if (!(begin >= 0 && begin <= end && end < 1)) {
                throw new IllegalArgumentException(
                        "begin and end must be fractions of a window, in that order, got %s and %s"
                                .formatted(begin, end));
            }
            if (checks < 1) {
                throw new IllegalArgumentException("checks must be positive, got " + checks);
            }
            windowMicros = TimeUnit.MILLISECONDS.toMicros(window.toMillis());
            beginMicros = Math.round(begin * windowMicros);
            lastsMicros = Math.round((end - begin) * windowMicros);
            this.checks = checks;
        }

        /** That many checks of every window, evenly spaced between two fractions of it. */
        public static WindowRounds evenly(Duration window, double begin, double end, long checks) {
            return new WindowRounds(window, begin, end, checks);
        }

        /** That many checks of every window, all at one fraction of it. */
        public static WindowRounds atOnce(Duration window, double at, long checks) {
            return new WindowRounds(window, at, at, checks);
        }

        @Override
        public OptionalLong takeDue(long nowNanos, long wallMicros) {
            long start = Math.floorDiv(wallMicros, windowMicros) * windowMicros;
            if (startMicros == NONE) {
                begin(start, wallMicros);
            } else if (start > startMicros) {
                startMicros = start;
                next = 0;
            }
            long late = wallMicros - startMicros - dueMicros();
            if (next == checks || late < 0) {
                return OptionalLong.empty();
            }
            next++;
            return OptionalLong.of(nowNanos - TimeUnit.MICROSECONDS.toNanos(late));
        }

        /** Checks that were due earlier are skipped. */
        private void begin(long start, long wallMicros) {
            startMicros = start;
            while (next < checks && start + dueMicros() < wallMicros) {
                next++;
            }
        }

        /** Due time of the next check, from the start of the window. */
        private long dueMicros() {
            return beginMicros + lastsMicros * next / checks;
        }
    }
}
