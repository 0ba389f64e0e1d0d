package io.meridian.model.aggregate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Small numbers for what many limits have in common. Never forgets: policies and lives of regions are few. */
final class Names<T> {
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
