package io.meridian.sync.aggregate;

import io.meridian.model.usage.RegionIncarnation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The incarnations of regions as small numbers, and which one of each region is its last: that alone is told anything. */
final class Incarnations {
    private final Numbering<RegionIncarnation> names = new Numbering<>();
    /** Who was silent for longer is not supplied ahead of what it asks for. */
    private static final long SILENT_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final Map<String, Integer> last = new TreeMap<>();
    private final Map<Integer, Long> heardMicros = new HashMap<>();
    private boolean changed;

    int number(RegionIncarnation incarnation) {
        int number = names.number(incarnation);
        Integer before = last.get(incarnation.region());
        changed |= before == null || later(before, number) != before;
        last.merge(incarnation.region(), number, this::later);
        return number;
    }

    /** Whether a region came, or began another incarnation, since this was last asked. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    void heard(int number, long atMicros) {
        heardMicros.merge(number, atMicros, Math::max);
    }

    boolean isHeard(int number, long nowMicros) {
        return nowMicros - heardMicros.getOrDefault(number, 0L) <= SILENT_MICROS;
    }

    RegionIncarnation incarnation(int number) {
        return names.name(number);
    }

    boolean isLast(int number) {
        return last.getOrDefault(names.name(number).region(), -1) == number;
    }

    /** The last incarnation of every region that was ever heard of. */
    Iterable<Integer> last() {
        return last.values();
    }

    /** The last incarnations of regions that were heard of lately. */
    List<RegionIncarnation> heardLately(long nowMicros) {
        return last.values().stream()
                .filter(each -> isHeard(each, nowMicros))
                .map(this::incarnation)
                .toList();
    }

    private int later(int one, int other) {
        return names.name(one).number() >= names.name(other).number() ? one : other;
    }

    /** Small numbers for what many limits have in common. Never forgets: policies and incarnations of regions are few. */
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
