package io.meridian.sync.aggregate;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.FloorRight;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Floor rights that the leaders of one partition have committed. A committed right is never revoked: the incarnation may spend its
 * floor in every window of the range without a report. So ranges of two incarnations of a region never overlap, and no range begins
 * before a window of which something was granted without counting it.
 */
final class FloorRights {
    /** Far more than regions: each restart of a region's Redis begins another range. Beyond it, new incarnations wait for grants. */
    static final int RIGHTS_MAX = 256;
    /** Longer than the longest window, a month, lasts after it started. */
    private static final long KEPT_MICROS = TimeUnit.DAYS.toMicros(32);
    /** A range is extended after this part of what it is given ahead, or after a minute: limiters that start read back further than that. */
    private static final int EXTENDED_AFTER_PART = 10;

    private static final long EXTENDED_AFTER_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final List<FloorRight> rights = new ArrayList<>();

    /** Takes in a committed right; of one range the latest end counts. */
    void take(FloorRight right) {
        for (int i = 0; i < rights.size(); i++) {
            if (rights.get(i).isSameRange(right)) {
                if (right.untilMicros() > rights.get(i).untilMicros()) {
                    rights.set(i, right);
                }
                return;
            }
        }
        rights.add(right);
    }

    FloorRights with(List<FloorRight> more) {
        if (more.isEmpty()) {
            return this;
        }
        FloorRights all = new FloorRights();
        rights.forEach(all::take);
        more.forEach(all::take);
        return all;
    }

    /** Those that hold in a window that starts then. */
    List<FloorRight> covering(long startMicros) {
        return rights.stream().filter(each -> each.covers(startMicros)).toList();
    }

    /** Forgets ranges whose last window is over. */
    void forgetBefore(long nowMicros) {
        rights.removeIf(each -> each.untilMicros() + KEPT_MICROS < nowMicros);
    }

    /**
     * Rights to commit now: for each incarnation a range that is extended, or a new one.
     *
     * @param grantedMicros the latest start of any window of which something was granted; negative if there is none
     */
    List<FloorRight> due(
            List<RegionIncarnation> incarnations, long nowMicros, long grantedMicros, AggregatorRules rules) {
        long untilMicros = nowMicros + rules.floorAheadMicros();
        long extendedBelow =
                untilMicros - Math.min(EXTENDED_AFTER_MICROS, rules.floorAheadMicros() / EXTENDED_AFTER_PART);
        List<FloorRight> due = new ArrayList<>();
        for (RegionIncarnation incarnation : incarnations) {
            FloorRight last = last(incarnation);
            if (last != null && last.untilMicros() > extendedBelow) {
                continue;
            }
            FloorRight next = last != null && isOf(rules, last) && grantedMicros < last.untilMicros()
                    ? last.until(untilMicros)
                    : begun(incarnation, due, untilMicros, grantedMicros, rules);
            if (next != null) {
                due.add(next);
            }
        }
        return due;
    }

    private @Nullable FloorRight begun(
            RegionIncarnation incarnation,
            List<FloorRight> due,
            long untilMicros,
            long grantedMicros,
            AggregatorRules rules) {
        int places = rules.regionsMax();
        OptionalInt place = place(incarnation.region(), due, places);
        long from = Math.max(0, grantedMicros + 1);
        for (FloorRight each : rights) {
            if (each.incarnation().region().equals(incarnation.region()) || !isOf(rules, each)) {
                from = Math.max(from, each.untilMicros());
            }
        }
        boolean possible = place.isPresent() && from < untilMicros && rights.size() + due.size() < RIGHTS_MAX;
        return possible
                ? new FloorRight(
                        incarnation,
                        place.getAsInt(),
                        places,
                        from,
                        untilMicros,
                        rules.secret().checkValue())
                : null;
    }

    /** Whether a right divides floors as leaders do now: among as many places, under the same secret. */
    private static boolean isOf(AggregatorRules rules, FloorRight right) {
        return right.places() == rules.regionsMax()
                && right.secretCheck() == rules.secret().checkValue();
    }

    private @Nullable FloorRight last(RegionIncarnation incarnation) {
        FloorRight last = null;
        for (FloorRight each : rights) {
            if (each.incarnation().equals(incarnation) && (last == null || each.fromMicros() > last.fromMicros())) {
                last = each;
            }
        }
        return last;
    }

    /** The place of a region stays its own as long as any range of it is remembered; a new one gets the first that is free. */
    private OptionalInt place(String region, List<FloorRight> due, int places) {
        Set<Integer> used = new HashSet<>();
        for (FloorRight each : with(due).rights) {
            if (each.places() != places) {
                continue;
            }
            if (each.incarnation().region().equals(region)) {
                return OptionalInt.of(each.place());
            }
            used.add(each.place());
        }
        return IntStream.range(0, places).filter(each -> !used.contains(each)).findFirst();
    }
}
