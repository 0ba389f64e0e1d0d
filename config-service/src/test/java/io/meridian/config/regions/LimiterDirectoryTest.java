package io.meridian.config.regions;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimiterDirectoryTest {
    private static final long SECOND = 1_000_000;

    private long nowMicros = 10_000 * SECOND;
    private final LimiterDirectory instances = new LimiterDirectory(
            new SmallRyeConfigBuilder()
                    .addDiscoveredConverters()
                    .withMapping(RegionsConfig.class)
                    .withDefaultValues(Map.of("meridian.config.regions.instances-max", "3"))
                    .addDefaultInterceptors()
                    .build()
                    .getConfigMapping(RegionsConfig.class),
            new TimeSource() {
                @Override
                public long monotonicNanos() {
                    return nowMicros * 1_000;
                }

                @Override
                public long wallMicros() {
                    return nowMicros;
                }
            });

    @Test
    void an_instance_is_live_for_five_seconds_and_forgotten_after_an_hour() {
        heard("eu", "a", 1);
        nowMicros += 5 * SECOND;
        assertThat(instances.all()).singleElement().matches(Instance::live);
        nowMicros += 1;
        assertThat(instances.all()).singleElement().matches(each -> !each.live());
        nowMicros += 3_595 * SECOND;
        assertThat(instances.all()).isEmpty();
    }

    @Test
    void the_newest_word_of_an_instance_counts() {
        heard("eu", "a", 7);
        heard("eu", "a", 6);

        assertThat(instances.all())
                .singleElement()
                .matches(each -> each.report().revision() == 6);
    }

    @Test
    void for_one_too_many_the_longest_silent_is_forgotten() {
        for (String name : new String[] {"a", "b", "c"}) {
            heard("eu", name, 1);
            nowMicros += SECOND;
        }
        heard("eu", "a", 1);
        heard("ap", "d", 1);

        assertThat(instances.all()).extracting(Instance::name).containsExactly("d", "a", "c");
    }

    @Test
    void different_secrets_are_counted_among_live_instances() {
        assertThat(instances.secrets()).isZero();
        heard("eu", "a", 1);
        assertThat(instances.secrets()).isZero();

        heardUnder("11112222", "eu", "a");
        heardUnder("11112222", "us", "b");
        assertThat(instances.secrets()).isOne();

        heardUnder("33334444", "us", "b");
        assertThat(instances.secrets()).isEqualTo(2);

        nowMicros += 5 * SECOND + 1;
        heardUnder("33334444", "us", "b");
        assertThat(instances.secrets()).isOne();
    }

    private void heardUnder(String keyCheck, String region, String name) {
        instances.report(
                new InstanceReport(region, name, 1, "topic", 0, 0, 0, InstanceReport.Loop.NONE, keyCheck), nowMicros);
    }

    private void heard(String region, String name, long revision) {
        instances.report(new InstanceReport(region, name, revision, "topic", 0, 0, 0), nowMicros);
    }
}
