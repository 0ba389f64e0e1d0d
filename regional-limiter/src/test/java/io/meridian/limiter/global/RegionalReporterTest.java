package io.meridian.limiter.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** One report of a region's own limits, to a log whose acknowledgements the test chooses. */
class RegionalReporterTest {
    private static final int LIMITS = 20_001;
    private static final long NOW = 60_000_000_000L;
    private static final Policy POLICY =
            Policy.of("p", KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, 100, Window.parse("1h"));

    private final UsageConfig config = new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .withConverter(Duration.class, 200, new DurationConverter())
            .withMapping(UsageConfig.class)
            .withDefaultValues(Map.of("meridian.limiter.usage.regional-rate", "100000000"))
            .build()
            .getConfigMapping(UsageConfig.class);
    private final RegionalTallies tallies = new RegionalTallies(2 * LIMITS, units -> {});
    private final Log log = new Log();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RegionalReporter reporter = new RegionalReporter(
            new RegionIncarnation("us-east", 7),
            config,
            tallies,
            log,
            () -> NOW,
            TimeSource.system(),
            new LimiterMetrics(registry).usage());

    @Test
    void one_report_has_every_limit_that_changed_however_many_they_are() throws Exception {
        useAll();

        reporter.report();

        assertThat(log.keys()).hasSize(LIMITS);
        assertThat(log.batches).allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(config.batchMax()));
        assertThat(registry.get("meridian.limiter.usage.regional.reported")
                        .functionCounter()
                        .count())
                .isEqualTo(LIMITS);
        log.batches.clear();
        reporter.report();
        assertThat(log.batches).isEmpty();
    }

    @Test
    void what_kafka_did_not_acknowledge_is_in_the_next_report() throws Exception {
        useAll();
        log.failAfter = 2;
        reporter.report();
        assertThat(log.batches).as("nothing more is tried in this report").hasSize(3);

        log.failAfter = Integer.MAX_VALUE;
        log.batches.remove(2);
        reporter.report();

        assertThat(log.keys()).hasSize(LIMITS);
        assertThat(log.batches.stream().mapToInt(List::size).sum()).isEqualTo(LIMITS);
    }

    private void useAll() {
        for (int i = 0; i < LIMITS; i++) {
            tallies.charged(new Limit(POLICY, POLICY.limitSpec().quota(), "key-" + i, 1, 1), 1, NOW);
        }
    }

    /** Acknowledges so many batches, and fails the others. */
    private static final class Log implements UsageSink {
        private final List<List<UsageRecord>> batches = new ArrayList<>();
        private int failAfter = Integer.MAX_VALUE;

        @Override
        public CompletionStage<Void> write(List<UsageRecord> records) {
            batches.add(records);
            return batches.size() > failAfter
                    ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> announce(RegionAnnouncement announcement) {
            throw new AssertionError("announces no region");
        }

        private Set<String> keys() {
            Set<String> keys = new HashSet<>();
            batches.forEach(batch -> batch.forEach(each -> keys.add(each.limit().key())));
            return keys;
        }
    }
}
