package io.meridian.sync.aggregate;

import io.meridian.model.usage.RegionIncarnation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Index of incarnations by small numbers, and the last incarnation of each region: only that one gets verdicts. */
final class Incarnations {
    private final Numbering<RegionIncarnation> names = new Numbering<>();
    /** A region that was silent for longer is not supplied ahead of its demand. */
    private static final long SILENT_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final Map<String, Integer> last = new TreeMap<>();
    private final Map<Integer, Long> reportedMicros = new HashMap<>();
    private boolean changed;

    int number(RegionIncarnation incarnation) {
        int number = names.number(incarnation);
        Integer before = last.get(incarnation.region());
        changed |= before == null || later(before, number) != before;
        last.merge(incarnation.region(), number, this::later);
        return number;
    }

    /** Whether a region came, or began another incarnation, since the last call. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    void reported(int number, long atMicros) {
        reportedMicros.merge(number, atMicros, Math::max);
    }

    boolean isRecent(int number, long nowMicros) {
        return nowMicros - reportedMicros.getOrDefault(number, 0L) <= SILENT_MICROS;
    }

    RegionIncarnation incarnation(int number) {
        return names.name(number);
    }

    boolean isLast(int number) {
        return last.getOrDefault(names.name(number).region(), -1) == number;
    }

    /** The last incarnation of every region that ever reported. */
    Iterable<Integer> last() {
        return last.values();
    }

    /** The last incarnations of regions that reported lately. */
    List<RegionIncarnation> recent(long nowMicros) {
        return last.values().stream()
                .filter(each -> isRecent(each, nowMicros))
                .map(this::incarnation)
                .toList();
    }

    private int later(int one, int other) {
        return names.name(one).number() >= names.name(other).number() ? one : other;
    }

    /** Small numbers for values that many limits have in common. Never forgets: policies and incarnations of regions are few. */
    static final class Numbering<T> {
        private final Map<T, Integer> numbers = new HashMap<>();
        private final List<T> names = new ArrayList<>();

        int number(T name) {
            Integer known = numbers.get(name);
            if (known != null) {
                return known;
            }
            numbers.put(name, names.size());
            names.add(name);
            return names.size() - 1;
        }

        T name(int number) {
            return names.get(number);
        }
    }
}
