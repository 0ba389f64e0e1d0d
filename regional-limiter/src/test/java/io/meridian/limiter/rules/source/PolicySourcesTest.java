package io.meridian.limiter.rules.source;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.LimiterConfig.PolicyConfig;
import io.meridian.limiter.LimiterConfig.PolicyConfig.PolicySource;
import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.source.LastKnownGood.CopyReader;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.Loopback;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts with some of the sources away. */
@Timeout(120)
class PolicySourcesTest {
    private static final String RULES =
            "policies: [{id: p, key: [user_id], algorithm: fixed_window, limit: 5, window: 1m}]\n";

    private final Path file;
    private final Path copy;
    private final String nowhere = "127.0.0.1:" + Loopback.freePort();

    PolicySourcesTest(@TempDir Path folder) {
        this.file = folder.resolve("policies.yaml");
        this.copy = folder.resolve("policies.copy");
    }

    @Test
    void without_a_source_what_is_built_in_is_in_effect_and_meant_to_be() {
        ActiveRules live = started(settings(Optional.empty(), false, false));

        assertThat(Asked.limits(live, "1")).containsExactly("built-in-user:1000");
        assertThat(live.status().origin()).isEqualTo(RuleOrigin.DEFAULTS);
        assertThat(live.status().intended()).isTrue();
    }

    @Test
    void without_kafka_and_without_a_copy_what_is_built_in_stands_in() {
        ActiveRules live = started(settings(Optional.empty(), false, true));

        assertThat(Asked.limits(live, "1")).containsExactly("built-in-user:1000");
        assertThat(live.status().intended()).isFalse();
    }

    @Test
    void without_kafka_the_last_known_good_copy_stands_in() throws Exception {
        keepCopy();
        ActiveRules live = started(settings(Optional.empty(), false, true));

        assertThat(Asked.limits(live, "1")).containsExactly("p:5");
        assertThat(live.status().origin()).isEqualTo(RuleOrigin.COPY);
        assertThat(live.status().intended()).isFalse();
    }

    @Test
    void with_a_broken_file_the_copy_stands_in_until_it_is_mended() throws Exception {
        keepCopy();
        Files.writeString(file, "policies: [");
        ActiveRules live = new ActiveRules("us-east", TimeSource.system());
        PolicySources sources = new PolicySources(settings(Optional.empty(), true, false), live, Map.of());
        sources.start();

        assertThat(live.status().origin()).isEqualTo(RuleOrigin.COPY);
        assertThat(Asked.limits(live, "1")).containsExactly("p:5");
        Files.writeString(file, RULES.replace("limit: 5", "limit: 6"));
        eventually("the mended file is in effect")
                .until(() -> Asked.limits(live, "1").contains("p:6"));
        sources.stop();
        assertThat(CopyReader.read(copy).rules().policies().values())
                .extracting(policy -> policy.limitSpec().limit())
                .containsExactly(6L);
    }

    @Test
    void with_a_broken_copy_what_is_built_in_stands_in() throws Exception {
        keepCopy();
        Files.writeString(copy, Files.readString(copy).replace("\"limit\":5", "\"limit\":9"));
        ActiveRules live = started(settings(Optional.empty(), false, true));

        assertThat(live.status().origin()).isEqualTo(RuleOrigin.DEFAULTS);
        assertThat(live.status().refused()).containsEntry("copy", 1L);
    }

    @Test
    void the_source_is_the_file_if_one_is_named_else_the_topic_if_there_is_a_kafka() {
        assertThat(PolicySources.chosen(settings(Optional.empty(), true, true))).isEqualTo(PolicySource.FILE);
        assertThat(PolicySources.chosen(settings(Optional.empty(), false, true)))
                .isEqualTo(PolicySource.TOPIC);
        assertThat(PolicySources.chosen(settings(Optional.empty(), false, false)))
                .isEqualTo(PolicySource.DEFAULTS);
        assertThat(PolicySources.chosen(settings(Optional.of(PolicySource.TOPIC), true, true)))
                .isEqualTo(PolicySource.TOPIC);
    }

    @Test
    void a_source_without_its_setting_is_refused_by_name() {
        assertThatThrownBy(() -> started(settings(Optional.of(PolicySource.FILE), false, false)))
                .hasMessageContaining("meridian.limiter.policies.file");
        assertThatThrownBy(() -> started(settings(Optional.of(PolicySource.TOPIC), false, false)))
                .hasMessageContaining("kafka.bootstrap.servers");
    }

    private void keepCopy() throws Exception {
        Files.writeString(file, RULES);
        started(settings(Optional.of(PolicySource.FILE), true, false));
        assertThat(copy).exists();
    }

    /** Starts and ends the sources; what they brought stays. */
    private static ActiveRules started(PolicyConfig config) {
        ActiveRules live = new ActiveRules("us-east", TimeSource.system());
        PolicySources sources = new PolicySources(config, live, Map.of());
        sources.start();
        sources.stop();
        return live;
    }

    private Settings settings(Optional<PolicySource> source, boolean withFile, boolean withKafka) {
        return new Settings(
                source,
                Optional.of(file).filter(f -> withFile),
                Optional.of(nowhere).filter(k -> withKafka),
                Optional.of(copy));
    }
}
