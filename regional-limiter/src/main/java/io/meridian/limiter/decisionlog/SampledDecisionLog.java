package io.meridian.limiter.decisionlog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.meridian.limiter.LimiterConfig.DecisionLogConfig;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.decide.DecisionRecorder.DecisionLog;
import io.meridian.limiter.metrics.CheckMetrics.CheckOutcome;
import io.meridian.limiter.metrics.DeliveryMetrics.DecisionLogMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.DecisionLogMetrics.DecisionLogLoss;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.EndpointPath;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sampling decision log with a bounded rate and a bounded queue. An event loop draws the sample, counts against the rate of
 * the running second and puts a short record into the queue; a thread of its own writes the lines. What the rate or the queue
 * has no room for is dropped and counted.
 */
public final class SampledDecisionLog implements DecisionLog, AutoCloseable {
    /** Category of the lines, which the operator routes. */
    static final String CATEGORY = "meridian.decisions";

    private static final Logger LOG = Logger.getLogger(SampledDecisionLog.class);
    private static final Logger LINES = Logger.getLogger(CATEGORY);
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration STOP_WITHIN = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofMillis(100);
    /** Enough bits of a double's fraction, and a positive number. */
    private static final int DRAW_BITS = 53;

    private final double sample;
    /** A draw below this is in the sample. */
    private final long drawnBelow;

    private final int recordsPerSecond;
    private final String region;
    private final TimeSource time;
    private final DecisionLogMetrics metrics;
    private final Consumer<String> lines;
    private final BlockingQueue<DecisionRecord> queue;
    private final AtomicLong draws;
    /** The second that runs, and in the lower half how many records it has had. */
    private final AtomicLong rate = new AtomicLong();

    private final Thread writer = new Thread(this::write, "decision-log");
    private volatile boolean stopped;

    /**
     * @param lines takes one line after the other, from one thread
     */
    SampledDecisionLog(
            DecisionLogConfig config,
            String region,
            TimeSource time,
            DecisionLogMetrics metrics,
            Consumer<String> lines) {
        this.sample = config.sample();
        this.drawnBelow = (long) (sample * (1L << DRAW_BITS));
        this.recordsPerSecond = config.recordsPerSecond();
        this.region = region;
        this.time = time;
        this.metrics = metrics;
        this.lines = lines;
        this.queue = new ArrayBlockingQueue<>(config.queue());
        this.draws = new AtomicLong(time.monotonicNanos());
        writer.setDaemon(true);
    }

    /** The log that the settings ask for; none with a sample of 0. */
    public static DecisionLog create(DecisionLogConfig config, String region, LimiterMetrics metrics, TimeSource time) {
        config.check();
        if (config.sample() == 0) {
            return DecisionLog.NONE;
        }
        LOG.infof(
                "decisions are logged with addresses and identifiers of clients: category=%s sample=%s records per second=%d",
                CATEGORY, config.sample(), config.recordsPerSecond());
        return new SampledDecisionLog(config, region, time, metrics.decisionLog(), LINES::info).started();
    }

    SampledDecisionLog started() {
        writer.start();
        return this;
    }

    @Override
    public void decided(CheckResult ruling, Check check, CheckOutcome outcome) {
        if (!isDrawn()) {
            return;
        }
        if (!fitsRate()) {
            metrics.dropped(DecisionLogLoss.RATE);
        } else if (!queue.offer(DecisionRecord.of(ruling, check, outcome, time.wallMicros()))) {
            metrics.dropped(DecisionLogLoss.QUEUE);
        }
    }

    /** A sequence number mixed by SplitMix64's finalizer, so that no pattern in the order of checks meets one in the sample. */
    private boolean isDrawn() {
        long mixed = draws.getAndIncrement() * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        long drawn = (mixed ^ (mixed >>> 31)) >>> (Long.SIZE - DRAW_BITS);
        return drawn < drawnBelow;
    }

    private boolean fitsRate() {
        long second = (time.monotonicNanos() / SECOND_NANOS) << Integer.SIZE;
        while (true) {
            long before = rate.get();
            boolean sameSecond = ((before >>> Integer.SIZE) << Integer.SIZE) == second;
            if (sameSecond && (int) before >= recordsPerSecond) {
                return false;
            }
            if (rate.compareAndSet(before, sameSecond ? before + 1 : second + 1)) {
                return true;
            }
        }
    }

    private void write() {
        try {
            while (!stopped || !queue.isEmpty()) {
                DecisionRecord next = queue.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
                if (next != null) {
                    write(next);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(DecisionRecord next) {
        try {
            lines.accept(next.line(region, sample));
            metrics.written();
        } catch (RuntimeException failed) {
            metrics.dropped(DecisionLogLoss.UNWRITTEN);
        }
    }

    /** Writes what waits, within a bound. */
    @Override
    public void close() {
        stopped = true;
        try {
            writer.join(STOP_WITHIN.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Record of one logged decision. It holds texts that are cut to a length and never the request, which may be large.
     *
     * @param ip the client's address, empty if it was not told
     * @param limit the limit that decides, null if none does
     */
    record DecisionRecord(
            long atMicros,
            CheckOutcome outcome,
            String ip,
            String endpoint,
            String method,
            long cost,
            boolean degraded,
            @Nullable DecidingLimit limit) {
        static final int TEXT_MAX = 512;
        private static final JsonFactory JSON = new JsonFactory();

        /** The limit that decides; of one that could not be decided nothing is known but its policy and key. */
        record DecidingLimit(
                String policy,
                String key,
                long limit,
                long remaining,
                @Nullable DecidedBy decidedBy) {}

        /** @param wallMicros the time of a decision that says none itself */
        static DecisionRecord of(CheckResult ruling, Check check, CheckOutcome outcome, long wallMicros) {
            boolean decided = ruling instanceof CheckResult.Decided;
            return new DecisionRecord(
                    decided ? ((CheckResult.Decided) ruling).nowMicros() : wallMicros,
                    outcome,
                    cut(check.attributes().getOrDefault("ip", "")),
                    endpoint(check.segments()),
                    check.method(),
                    check.cost(),
                    decided ? ((CheckResult.Decided) ruling).degraded() : ruling instanceof CheckResult.Undecided,
                    deciding(ruling));
        }

        @SuppressWarnings("ReferenceEquality") // the deciding limit is one of the evaluated
        private static @Nullable DecidingLimit deciding(CheckResult ruling) {
            if (ruling instanceof CheckResult.Undecided undecided) {
                return limit(undecided.limit(), undecided.limit().quota().capacity(), 0, null);
            }
            if (!(ruling instanceof CheckResult.Decided decided)) {
                return null;
            }
            LimitDecision deciding = decided.decision().deciding();
            List<LimitDecision> evaluated = decided.decision().limits();
            for (int i = 0; i < evaluated.size(); i++) {
                if (evaluated.get(i) == deciding) {
                    return limit(
                            deciding.limit(),
                            deciding.standing().limit(),
                            deciding.standing().remaining(),
                            decided.limits().get(i).decidedBy());
                }
            }
            return null;
        }

        private static DecidingLimit limit(Limit limit, long units, long remaining, @Nullable DecidedBy by) {
            return new DecidingLimit(limit.policy().id(), cut(limit.key()), units, remaining, by);
        }

        /** The line of the log. */
        String line(String region, double sample) {
            StringWriter text = new StringWriter();
            try (JsonGenerator json = JSON.createGenerator(text)) {
                json.writeStartObject();
                json.writeStringField(
                        "at",
                        Instant.ofEpochSecond(0, TimeUnit.MICROSECONDS.toNanos(atMicros))
                                .toString());
                json.writeStringField("region", region);
                json.writeStringField("outcome", outcome.name().toLowerCase(Locale.ROOT));
                if (limit != null) {
                    json.writeStringField("policy", limit.policy);
                    json.writeStringField("key", limit.key);
                    json.writeNumberField("limit", limit.limit);
                    json.writeNumberField("remaining", limit.remaining);
                    if (limit.decidedBy != null) {
                        json.writeStringField("decided_by", limit.decidedBy.text());
                    }
                }
                if (!ip.isEmpty()) {
                    json.writeStringField("ip", ip);
                }
                json.writeStringField("endpoint", endpoint);
                json.writeStringField("method", method);
                json.writeNumberField("cost", cost);
                json.writeBooleanField("degraded", degraded);
                json.writeNumberField("sample", sample);
                json.writeEndObject();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            return text.toString();
        }

        private static String endpoint(List<String> segments) {
            return cut(EndpointPath.text(segments));
        }

        private static String cut(String text) {
            if (text.length() <= TEXT_MAX) {
                return text;
            }
            return text.substring(0, Character.isHighSurrogate(text.charAt(TEXT_MAX - 1)) ? TEXT_MAX - 1 : TEXT_MAX);
        }
    }
}
