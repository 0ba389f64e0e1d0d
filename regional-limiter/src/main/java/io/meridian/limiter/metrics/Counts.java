package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * One counter per constant of an enum, under one name and one tag. The registry reads plain adders, so that counting is an
 * array access and an addition, whatever registries there are.
 */
final class Counts<E extends Enum<E>> {
    private final Map<E, LongAdder> adders;

    Counts(MeterRegistry registry, String name, String help, Tags tags, String tag, Class<E> kind) {
        adders = new EnumMap<>(kind);
        for (E constant : EnumSet.allOf(kind)) {
            adders.put(constant, adder(registry, name, help, tags.and(tag, text(constant))));
        }
    }

    void add(E constant, long amount) {
        Objects.requireNonNull(adders.get(constant)).add(amount);
    }

    long sum(E constant) {
        return Objects.requireNonNull(adders.get(constant)).sum();
    }

    /** A counter of its own. */
    static LongAdder adder(MeterRegistry registry, String name, String help, Tags tags) {
        LongAdder adder = new LongAdder();
        FunctionCounter.builder(name, adder, LongAdder::sum)
                .description(help)
                .tags(tags)
                .register(registry);
        return adder;
    }

    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
