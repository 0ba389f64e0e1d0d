package io.meridian.limiter.global;

import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.testkit.servers.KafkaUnderTest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Prints how many changed limits of its own region an instance reports a second: production's tables, reporter and producer, on a Kafka
 * of its own that acknowledges every record. It stands in the package of the reporter, which has no need to be public for anyone else.
 */
public final class RegionalUsageFigures {
    private static final LimitKeys KEYS = new LimitKeys(KeySecret.parse("000102030405060708090a0b0c0d0e0f"));
    private static final double PER_SECOND_MIN = 20_000;
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int CONVERTER_ORDINAL = 200;
    private static final int PARTITIONS = 16;
    private static final String TOPIC = "usage";
    private static final Policy POLICY =
            Policy.of("api-default", KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, 1_000_000, Window.parse("1h"));

    private final TimeSource time = TimeSource.system();
    private final LimiterMetrics metrics = new LimiterMetrics(new SimpleMeterRegistry());
    private final List<Limit> limits;
    private long dropped;

    private RegionalUsageFigures(int limits) {
        this.limits = IntStream.range(0, limits)
                .mapToObj(i -> new Limit(POLICY, POLICY.limitSpec().quota(), "user_id=client-" + i, 1, 1))
                .toList();
    }

    public static void main(String[] args) throws InterruptedException {
        boolean brief = Arrays.asList(args).contains("--short");
        UsageConfig production = config(Map.of());
        int interval = (int) (PER_SECOND_MIN * production.regionalInterval().toSeconds());
        int limits = brief ? 5_000 : interval;
        int rounds = brief ? 1 : 9;
        try (KafkaUnderTest kafka = KafkaUnderTest.start()) {
            kafka.createTopic(TOPIC, PARTITIONS);
            RegionalUsageFigures figures = new RegionalUsageFigures(limits);
            String servers = kafka.directAddress();
            double[] unpaced = figures.perSecond(
                    servers, config(Map.of("meridian.limiter.usage.regional-rate", "100000000")), rounds);
            print(
                    "as fast as it goes: %,.0f changed limits a second acknowledged (median of %d rounds of %,d; worst %,.0f)",
                    unpaced[rounds / 2], rounds, limits, unpaced[0]);
            double[] paced = figures.perSecond(servers, production, rounds);
            print(
                    "paced as in production: %,.0f a second (median; worst %,.0f), so that %,d of an interval of %d s take %.1f s",
                    paced[rounds / 2],
                    paced[0],
                    limits,
                    production.regionalInterval().toSeconds(),
                    limits / paced[rounds / 2]);
            print("units not on record: %d, at most 0: %s", figures.dropped, met(figures.dropped == 0));
            print(
                    "changed limits a second per instance: %,.0f, at least %,.0f: %s",
                    paced[0], PER_SECOND_MIN, met(paced[0] >= PER_SECOND_MIN));
        }
    }

    /** Of each round, in ascending order: every limit is used once more, and reported until Kafka has all of it. */
    private double[] perSecond(String servers, UsageConfig config, int rounds) throws InterruptedException {
        RegionalTallies tallies = new RegionalTallies(config.regionalLimitsMax(), units -> dropped += units);
        RegionIncarnation self = new RegionIncarnation("us-east", time.wallMicros());
        try (UsageLog log = UsageLog.regional(Map.of(), servers, TOPIC, KEYS, time);
                RegionalReporter reporter =
                        new RegionalReporter(self, config, tallies, log, time::wallMicros, time, metrics.usage())) {
            // Connections, and all code compiled.
            double unused = round(tallies, reporter);
            return DoubleStream.generate(() -> measured(tallies, reporter))
                    .limit(rounds)
                    .sorted()
                    .toArray();
        }
    }

    private double measured(RegionalTallies tallies, RegionalReporter reporter) {
        try {
            return round(tallies, reporter);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private double round(RegionalTallies tallies, RegionalReporter reporter) throws InterruptedException {
        long nowMicros = time.wallMicros();
        limits.forEach(limit -> tallies.charged(limit, 1, nowMicros));
        long beganNanos = time.monotonicNanos();
        reporter.report();
        double seconds = (time.monotonicNanos() - beganNanos) / NANOS_PER_SECOND;
        RegionIncarnation nobody = new RegionIncarnation("us-east", 0);
        int unreported = tallies.pass(nobody, nowMicros).next(Integer.MAX_VALUE).size();
        return (limits.size() - unreported) / seconds;
    }

    private static UsageConfig config(Map<String, String> set) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withConverter(Duration.class, CONVERTER_ORDINAL, new DurationConverter())
                .withMapping(UsageConfig.class)
                .withDefaultValues(set)
                .build()
                .getConfigMapping(UsageConfig.class);
    }

    private static String met(boolean met) {
        return met ? "met" : "NOT MET";
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
