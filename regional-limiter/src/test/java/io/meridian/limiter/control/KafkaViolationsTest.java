package io.meridian.limiter.control;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.limiter.kafka.SharedKafka;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.ViolationRecord;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.servers.KafkaUnderTest;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The way of denials to a real Kafka. */
@Timeout(600)
@ExtendWith(SharedKafka.class)
class KafkaViolationsTest {
    private static final int FLOOD = TestAmounts.of(20_000, 100_000);
    private static final int THREADS = 4;
    /** An interval that does not end within a test: tallies are closed by the stop. */
    private static final Map<String, String> ENDLESS = Map.of("meridian.limiter.violations.interval", "1H");

    private SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private String topic = "";
    private final KafkaUnderTest kafka;

    KafkaViolationsTest(KafkaUnderTest kafka) {
        this.kafka = kafka;
    }

    @AfterEach
    void heal() {
        kafka.link().heal();
    }

    private KafkaViolations start(TestInfo test, Map<String, String> extra) {
        return start(test, extra, producer -> producer);
    }

    private KafkaViolations start(
            TestInfo test, Map<String, String> extra, UnaryOperator<Producer<byte[], byte[]>> seen) {
        topic = test.getTestMethod().orElseThrow().getName();
        kafka.createTopic(topic, 3);
        registry = new SimpleMeterRegistry();
        Map<String, String> settings = new HashMap<>();
        settings.put("meridian.limiter.violations.topic", topic);
        settings.put("meridian.limiter.violations.interval", "50MS");
        // However busy the machine is, what can be sent is.
        settings.put("meridian.limiter.violations.stop-within", "5M");
        settings.putAll(extra);
        ViolationConfig config = Denials.config(settings);
        return new KafkaViolations(
                config,
                () -> seen.apply(ViolationBeans.producer(config, Map.of(), kafka.bootstrapServers())),
                "eu-west",
                new LimiterMetrics(registry).violations(),
                TimeSource.system());
    }

    @Test
    void a_denial_arrives(TestInfo test) throws Exception {
        try (KafkaViolations violations = start(test, Map.of());
                Topic arrived = arrived()) {
            violations.refused(Denials.limit(7, 3), Denials.STANDING, Denials.CHECK, false, 1_000);

            eventually("it arrived").until(() -> arrived.denials() == 1);

            assertThat(arrived.records())
                    .containsExactly(new ViolationRecord(
                            "api-default",
                            0,
                            "user_id=7",
                            "eu-west",
                            1,
                            3,
                            1_000,
                            1_000,
                            false,
                            "/api/v1/users",
                            "GET",
                            10,
                            10,
                            "1m"));
            eventually("it was acknowledged").until(() -> counted("sent") == 1);
        }
    }

    @Test
    void a_flood_on_one_key_is_one_record_per_interval_with_exact_counts(TestInfo test) throws Exception {
        try (Topic arrived = arrivedAfter(start(test, ENDLESS), violations -> flood(violations, FLOOD))) {
            eventually("all arrived").until(() -> arrived.denials() == FLOOD);

            assertThat(arrived.records()).hasSize(1);
            assertThat(arrived.records().get(0).cost()).isEqualTo(2L * FLOOD);
            assertThat(counted("dropped")).isZero();
        }
    }

    @Test
    void limits_beyond_the_bound_are_dropped_and_counted(TestInfo test) throws Exception {
        Map<String, String> bound = new HashMap<>(ENDLESS);
        bound.put("meridian.limiter.violations.open-max", "10");
        try (Topic arrived = arrivedAfter(start(test, bound), violations -> {
            for (int user = 0; user < 25; user++) {
                violations.refused(Denials.limit(user, 1), Denials.STANDING, Denials.CHECK, false, 1);
            }
        })) {
            assertThat(counted("dropped", "too_many")).isEqualTo(15);
            eventually("the others arrived with the stop").until(() -> arrived.denials() == 10);
            assertThat(counted("sent")).isEqualTo(10);
        }
    }

    @Test
    void while_kafka_is_cut_off_denials_wait_and_arrive_when_it_is_back(TestInfo test) throws Exception {
        try (KafkaViolations violations = start(test, Map.of());
                Topic arrived = arrived()) {
            violations.refused(Denials.limit(1, 1), Denials.STANDING, Denials.CHECK, false, 1);
            eventually("the first arrived").until(() -> arrived.denials() == 1);

            kafka.link().cut();
            flood(violations, FLOOD);
            assertThat(arrived.denials()).isEqualTo(1);

            kafka.link().heal();
            violations.refused(Denials.limit(1, 1), Denials.STANDING, Denials.CHECK, false, 1);
            eventually("all arrived").until(() -> arrived.denials() == FLOOD + 2);
            assertThat(counted("dropped")).isZero();
        }
    }

    @Test
    void a_kafka_that_is_away_from_the_start_is_found_later_and_silence_blocks_nobody(TestInfo test) throws Exception {
        kafka.link().silence();
        try (KafkaViolations violations = start(test, Map.of());
                Topic arrived = arrived()) {
            flood(violations, FLOOD);

            kafka.link().heal();

            eventually("all arrived").until(() -> arrived.denials() == FLOOD);
            assertThat(counted("dropped")).isZero();
        }
    }

    @Test
    void what_kafka_did_not_take_is_offered_again_until_it_does(TestInfo test) throws Exception {
        kafka.link().silence();
        AtomicInteger refused = new AtomicInteger();
        try (KafkaViolations violations = start(
                        test,
                        Map.of("meridian.limiter.violations.max-block", "100MS"),
                        producer -> counting(producer, refused));
                Topic arrived = arrived()) {
            violations.refused(Denials.limit(1, 1), Denials.STANDING, Denials.CHECK, false, 1);
            eventually("it is offered and not taken, twice").until(() -> refused.get() >= 2);
            kafka.link().heal();

            eventually("it arrived").until(() -> arrived.denials() == 1);
            assertThat(counted("dropped")).isZero();
        }
    }

    /** Counts the calls of send that ended: those of a Kafka that is silent ended without success. */
    @SuppressWarnings("unchecked")
    private static Producer<byte[], byte[]> counting(Producer<byte[], byte[]> producer, AtomicInteger sends) {
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                KafkaViolationsTest.class.getClassLoader(),
                new Class<?>[] {Producer.class},
                (proxy, called, arguments) -> {
                    try {
                        return called.invoke(producer, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause() instanceof Exception cause ? cause : failed;
                    } finally {
                        if (called.getName().equals("send")) {
                            sends.incrementAndGet();
                        }
                    }
                });
    }

    @Test
    void when_waiting_has_no_more_room_the_rest_is_dropped_and_every_denial_is_accounted_for(TestInfo test)
            throws Exception {
        kafka.link().cut();
        KafkaViolations violations = start(test, Map.of("meridian.limiter.violations.open-max", "50"));
        AtomicInteger users = new AtomicInteger();
        eventually("there is no more room").until(() -> {
            for (int i = 0; i < 50; i++) {
                violations.refused(
                        Denials.limit(users.getAndIncrement(), 1), Denials.STANDING, Denials.CHECK, false, 1);
            }
            return counted("dropped", "no_room") > 0;
        });

        violations.close();

        assertThat(counted("sent")).isZero();
        assertThat(counted("dropped", "stopped")).isEqualTo(50);
        assertThat(counted("dropped")).isEqualTo(users.get());
    }

    private static void flood(KafkaViolations violations, int denials) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                for (int n = 0; n < denials / THREADS; n++) {
                    violations.refused(Denials.limit(1, 2), Denials.STANDING, Denials.CHECK, false, n);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private Topic arrived() {
        return new Topic(kafka.directAddress(), topic);
    }

    private interface Denying {
        void on(KafkaViolations violations) throws Exception;
    }

    private Topic arrivedAfter(KafkaViolations violations, Denying denying) throws Exception {
        try (violations) {
            denying.on(violations);
        }
        return arrived();
    }

    private long counted(String name) {
        return (long) registry.find("meridian.limiter.violations." + name).functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    private long counted(String name, String reason) {
        return (long) registry.get("meridian.limiter.violations." + name)
                .tag("reason", reason)
                .functionCounter()
                .count();
    }
}
