package io.meridian.client.metrics;

import io.meridian.client.CheckDecision;
import io.meridian.client.CheckDecision.Source;
import io.meridian.client.ClientListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.URI;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Meters of a client: {@code meridian.client.checks} by source and outcome, {@code meridian.client.calls} by call and outcome,
 * {@code meridian.client.lease.units} by event, {@code meridian.client.limiter.changes} by state. No tag has more than a handful of values.
 */
public final class MicrometerListener implements ClientListener {
    private final Map<Source, Counter> allowed = new EnumMap<>(Source.class);
    private final Map<Source, Counter> refused = new EnumMap<>(Source.class);
    private final Map<Call, Timer> answered = new EnumMap<>(Call.class);
    private final Map<Call, Timer> failed = new EnumMap<>(Call.class);
    private final Counter leased;
    private final Counter returned;
    private final Counter lost;
    private final Counter taken;
    private final Counter back;

    public MicrometerListener(MeterRegistry registry) {
        for (Source source : Source.values()) {
            allowed.put(source, checks(registry, source, "allowed"));
            refused.put(source, checks(registry, source, "refused"));
        }
        for (Call call : Call.values()) {
            answered.put(call, calls(registry, call, "answered"));
            failed.put(call, calls(registry, call, "failed"));
        }
        leased = units(registry, "leased");
        returned = units(registry, "returned");
        lost = units(registry, "lost");
        taken = health(registry, "down");
        back = health(registry, "up");
    }

    private static Counter checks(MeterRegistry registry, Source source, String outcome) {
        return Counter.builder("meridian.client.checks")
                .description("Decided checks")
                .tag("source", source.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome)
                .register(registry);
    }

    private static Timer calls(MeterRegistry registry, Call call, String outcome) {
        return Timer.builder("meridian.client.calls")
                .description("Calls to limiters")
                .tag("call", call.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome)
                .register(registry);
    }

    private static Counter units(MeterRegistry registry, String event) {
        return Counter.builder("meridian.client.lease.units")
                .description("Units of leases")
                .tag("event", event)
                .register(registry);
    }

    private static Counter health(MeterRegistry registry, String state) {
        return Counter.builder("meridian.client.limiter.changes")
                .description("Limiters taken out of use, or back into it")
                .tag("state", state)
                .register(registry);
    }

    @Override
    @SuppressWarnings("NullAway") // every constant is there
    public void decided(CheckDecision decision) {
        (decision.allowed() ? allowed : refused).get(decision.source()).increment();
    }

    @Override
    @SuppressWarnings("NullAway") // every constant is there
    public void called(Call call, int status, long nanos) {
        (status == 0 || status >= 500 ? failed : answered).get(call).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void leased(long units) {
        leased.increment((double) units);
    }

    @Override
    public void returned(long units) {
        returned.increment((double) units);
    }

    @Override
    public void lost(long units) {
        lost.increment((double) units);
    }

    @Override
    public void health(URI limiter, boolean up) {
        (up ? back : taken).increment();
    }
}
