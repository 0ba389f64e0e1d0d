package io.meridian.limiter.control;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.LimiterConfig.OperationConfig;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.kafka.SharedKafka;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.operations.OperationTrail.Entry;
import io.meridian.limiter.operations.OperationTrail.Kind;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.OperationRecord;
import io.meridian.testkit.servers.KafkaUnderTest;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The way of resets and refunds to a real Kafka. */
@Timeout(600)
@ExtendWith(SharedKafka.class)
class KafkaOperationsTest {
    private static final Policy POLICY =
            Policy.of("api-default", KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, 10, Window.parse("1m"));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KafkaUnderTest kafka;
    private String topic = "";

    KafkaOperationsTest(KafkaUnderTest kafka) {
        this.kafka = kafka;
    }

    @AfterEach
    void heal() {
        kafka.link().heal();
    }

    private static OperationConfig config(Map<String, String> settings) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .addDefaultInterceptors()
                .withMapping(OperationConfig.class)
                .withDefaultValues(settings)
                .build();
        return config.getConfigMapping(OperationConfig.class);
    }

    private KafkaOperations start(TestInfo test, Map<String, String> extra) {
        topic = test.getTestMethod().orElseThrow().getName();
        kafka.createTopic(topic, 1);
        Map<String, String> settings = new HashMap<>();
        settings.put("meridian.limiter.operations.topic", topic);
        // However busy the machine is, what can be sent is.
        settings.put("meridian.limiter.operations.stop-within", "5M");
        settings.putAll(extra);
        KafkaOperations operations = new KafkaOperations(
                config(settings),
                new OperationRecords("eu-west", TimeSource.system()),
                () -> OperationBeans.producer(Map.of(), kafka.bootstrapServers()),
                new LimiterMetrics(registry).operations(),
                TimeSource.system());
        operations.start();
        return operations;
    }

    private static Check check(int user, long cost) {
        return new Check(Map.of("user_id", "" + user), "/api/v1/users", "GET", Map.of(), "", cost);
    }

    private static Entry refund(int user, DecidedBy by) {
        Limit limit = new Limit(POLICY, Quota.of(10, 0, Window.parse("1m")), "user_id=" + user, 6, 2);
        LimitDecision evaluated = new LimitDecision(limit, true, new Standing(10, 9, 0), 0, CounterState.UNTOUCHED);
        Decision decision = new Decision.Allowed(List.of(evaluated), evaluated, 0);
        return new Entry(Kind.REFUND, "billing-jobs", check(user, 3), "r-1", CheckResult.Decided.by(by, decision, 0));
    }

    @Test
    void the_defaults_are_as_documented_and_without_kafka_it_is_off() {
        OperationConfig config = config(Map.of());

        assertThat(config.bootstrapServers()).isEmpty();
        assertThat(config.topic()).isEqualTo("operations");
        assertThat(config.waitingMax()).isEqualTo(10_000);
        assertThat(config.stopWithin()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config(Map.of("kafka.bootstrap.servers", "k:9092")).bootstrapServers())
                .contains("k:9092");
    }

    @Test
    void an_operation_says_who_did_what_to_which_counter_and_what_came_of_it(TestInfo test) throws Exception {
        long beforeMicros = TimeSource.system().wallMicros();
        try (KafkaOperations operations = start(test, Map.of())) {
            operations.add(refund(7, DecidedBy.REGION));
            operations.add(refund(7, DecidedBy.FALLBACK));
            operations.add(new Entry(Kind.RESET, "anonymous", check(8, 1), null, null));
            operations.add(
                    new Entry(Kind.RESET, "anonymous", check(8, 1), null, new CheckResult.Listed("user_id", "8")));
            eventually("they are acknowledged").until(() -> counted("sent") == 4);
        }
        List<OperationRecord> records = arrived();

        OperationRecord refund = records.get(0);
        assertThat(refund.kind()).isEqualTo(OperationRecord.Kind.REFUND);
        assertThat(refund.caller()).isEqualTo("billing-jobs");
        assertThat(refund.region()).isEqualTo("eu-west");
        assertThat(refund.requestId()).isEqualTo("r-1");
        assertThat(refund.atMicros())
                .isBetween(beforeMicros, TimeSource.system().wallMicros());
        assertThat(refund.units()).isEqualTo(3);
        assertThat(refund.endpoint()).isEqualTo("/api/v1/users");
        assertThat(refund.method()).isEqualTo("GET");
        assertThat(refund.limits()).containsExactly(new OperationRecord.Counter("api-default", "user_id=7", 6));
        assertThat(refund.limitsTotal()).isEqualTo(1);
        assertThat(records)
                .extracting(OperationRecord::outcome)
                .containsExactly(
                        OperationRecord.Outcome.DONE,
                        OperationRecord.Outcome.DEGRADED,
                        OperationRecord.Outcome.FAILED,
                        OperationRecord.Outcome.DENY_LISTED);
        assertThat(records.get(2).caller()).isEqualTo("anonymous");
        assertThat(records.get(2).requestId()).isEmpty();
        assertThat(records.get(2).units()).isZero();
    }

    @Test
    void while_kafka_is_cut_off_operations_wait_and_none_is_lost(TestInfo test) throws Exception {
        try (KafkaOperations operations = start(test, Map.of())) {
            operations.add(refund(0, DecidedBy.REGION));
            eventually("the first is acknowledged").until(() -> counted("sent") == 1);
            kafka.link().cut();
            IntStream.range(1, 250).forEach(user -> operations.add(refund(user, DecidedBy.REGION)));
            kafka.link().heal();
            eventually("all are acknowledged").until(() -> counted("sent") == 250);
        }

        assertThat(arrived().stream().map(OperationRecord::id).distinct()).hasSize(250);
        assertThat(counted("dropped")).isZero();
    }

    @Test
    void a_full_queue_drops_and_counts_and_blocks_nobody(TestInfo test) throws Exception {
        kafka.link().silence();
        KafkaOperations operations = start(
                test,
                Map.of(
                        "meridian.limiter.operations.waiting-max",
                        "10",
                        "meridian.limiter.operations.stop-within",
                        "1MS"));
        int added = 0;
        while (counted("dropped", "no_room") == 0) {
            operations.add(refund(added++, DecidedBy.REGION));
        }

        operations.close();

        eventually("it has stopped").until(() -> counted("dropped", "stopped") > 0);
        assertThat(counted("sent")).isZero();
        assertThat(counted("dropped")).isEqualTo(added);
    }

    @Test
    void what_is_larger_than_a_record_may_be_is_cut() {
        Check check = new Check(Map.of("user_id", "u"), "/" + "a/".repeat(1_000), "GET", Map.of(), "", 1);
        Limit limit = new Limit(POLICY, Quota.of(10, 0, Window.parse("1m")), "k".repeat(20_000), 1, 1);
        LimitDecision evaluated = new LimitDecision(limit, true, new Standing(10, 9, 0), 0, CounterState.UNTOUCHED);
        Decision decision = new Decision.Allowed(Collections.nCopies(40, evaluated), evaluated, 0);

        OperationRecord record = new OperationRecords("eu-west", TimeSource.system())
                .of(new Entry(Kind.RESET, "ops", check, null, CheckResult.Decided.by(DecidedBy.REGION, decision, 0)));

        assertThat(record.endpoint()).hasSize(OperationRecord.ENDPOINT_MAX);
        assertThat(record.limits()).hasSize(OperationRecord.LIMITS_MAX);
        assertThat(record.limitsTotal()).isEqualTo(40);
        assertThat(record.limits().get(0).key()).hasSize(OperationRecord.KEY_MAX);
        assertThat(record.encode().length()).isLessThan(1 << 17);
    }

    private List<OperationRecord> arrived() {
        List<OperationRecord> records = new ArrayList<>();
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.directAddress()),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(50))) {
                    records.add(OperationRecord.decode(each.value()));
                }
            }
        }
        return records;
    }

    private long counted(String name) {
        return (long) registry.find("meridian.limiter.operations." + name).functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    private long counted(String name, String reason) {
        return (long) registry.get("meridian.limiter.operations." + name)
                .tag("reason", reason)
                .functionCounter()
                .count();
    }
}
