package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Meters of bearer tokens by their outcome, and of reads of the key set that verifies them. */
public final class CallerMetrics {
    private final Counts<TokenOutcome> tokens;
    private final LongAdder read;
    private final LongAdder failed;

    CallerMetrics(MeterRegistry registry) {
        tokens = new Counts<>(
                registry,
                LimiterMetrics.CALLER_TOKENS,
                "Bearer tokens of forwarded requests",
                Tags.empty(),
                "outcome",
                TokenOutcome.class);
        read = Counts.adder(registry, LimiterMetrics.JWKS_READ, "Reads of the JWKS", Tags.empty());
        failed = Counts.adder(registry, LimiterMetrics.JWKS_FAILED, "Reads of the JWKS that failed", Tags.empty());
    }

    public void token(TokenOutcome outcome) {
        tokens.add(outcome, 1);
    }

    public void jwksRead(boolean succeeded) {
        (succeeded ? read : failed).increment();
    }

    /** Outcome of reading a bearer token. */
    public enum TokenOutcome {
        VERIFIED,
        UNVERIFIED,
        REFUSED,
        /** Counted as an API key. */
        OPAQUE
    }

    /**
     * Meters of calls that were not admitted, and of the tokens in effect. The names of tokens are tags, as many as there are
     * tokens: the counter of one that is in effect no more goes.
     */
    public static final class AccessMetrics {
        /** Tag value of calls whose token is none of the configured ones. */
        private static final String NO_NAME = "none";

        private static final String HELP = "Calls refused before a decision";

        private final MeterRegistry registry;
        private final Map<CallRefusal, LongAdder> nameless = new EnumMap<>(CallRefusal.class);
        private volatile Map<String, LongAdder> byToken = Map.of();
        private volatile boolean fileRefused;

        AccessMetrics(MeterRegistry registry) {
            this.registry = registry;
            for (CallRefusal reason : Set.of(CallRefusal.NO_TOKEN, CallRefusal.WRONG_TOKEN)) {
                nameless.put(reason, Counts.adder(registry, LimiterMetrics.CALLS_REFUSED, HELP, tags(reason, NO_NAME)));
            }
            Gauge.builder(LimiterMetrics.TOKENS, () -> byToken.size())
                    .description("Tokens of callers in effect, 0 if everybody may call")
                    .register(registry);
            Gauge.builder(LimiterMetrics.TOKENS_REFUSED, () -> fileRefused ? 1 : 0)
                    .description("1 while the current token file is rejected and the previous tokens stay in effect")
                    .register(registry);
        }

        /** The names of the tokens in effect from now on. */
        public synchronized void inEffect(Set<String> names) {
            Map<String, LongAdder> before = byToken;
            Map<String, LongAdder> after = new HashMap<>();
            for (String name : names) {
                LongAdder known = before.get(name);
                after.put(name, known != null ? known : counter(name));
            }
            byToken = Map.copyOf(after);
            before.keySet().stream().filter(name -> !names.contains(name)).forEach(this::forget);
        }

        private LongAdder counter(String token) {
            return Counts.adder(registry, LimiterMetrics.CALLS_REFUSED, HELP, tags(CallRefusal.MISSING_SCOPE, token));
        }

        private void forget(String token) {
            FunctionCounter counter = registry.find(LimiterMetrics.CALLS_REFUSED)
                    .tags(tags(CallRefusal.MISSING_SCOPE, token))
                    .functionCounter();
            if (counter != null) {
                registry.remove(counter);
            }
        }

        /** A call was not let in. A token that is not in effect any more is not counted. */
        public void refused(CallRefusal reason, String token) {
            @Nullable LongAdder adder = reason == CallRefusal.MISSING_SCOPE ? byToken.get(token) : nameless.get(reason);
            if (adder != null) {
                adder.increment();
            }
        }

        public void fileRefused(boolean refused) {
            fileRefused = refused;
        }

        private static Tags tags(CallRefusal reason, String token) {
            return Tags.of("reason", Counts.text(reason), "token", token);
        }

        /** Reason why a call was not admitted. */
        public enum CallRefusal {
            /** It bore no token. */
            NO_TOKEN,
            /** Its token is none of this limiter. */
            WRONG_TOKEN,
            /** Its token is for other calls. */
            MISSING_SCOPE
        }
    }
}
