package io.meridian.stacktests.config;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.servers.Topics;
import io.meridian.stacktests.config.Changers.Answered;
import io.meridian.stacktests.config.PolicyTopic.Told;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import io.meridian.testkit.servers.KafkaUnderTest;
import io.meridian.testkit.servers.PostgresUnderTest;
import io.meridian.testkit.services.ConfigInstance;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A config service that is killed again and again while it takes changes: Kafka hears of all of them once, in order. */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KilledServiceIT {
    private static final int KILLS = TestAmounts.of(3, 40);
    private static final long SEED = TestSeeds.first();
    private static final int CHANGERS = 3;
    private static final int ANSWERS_MAX = 60;
    private static final int MORE_MILLIS_MAX = 200;

    private final PostgresUnderTest postgres = PostgresUnderTest.start();
    private final KafkaUnderTest kafka = kafkaWithTopics();
    private final ConfigInstance first = ConfigInstance.start(postgres, kafka);

    @AfterAll
    void stop() {
        first.close();
        kafka.close();
        postgres.close();
    }

    @Test
    @Order(1)
    void every_change_that_was_answered_is_in_the_topic_once_and_in_order() throws Exception {
        Admin admin = up(first);
        Changers changers = Changers.start("alone", CHANGERS, List.of(admin));
        killAgainAndAgain(first, changers);
        assertAllTold(kafka, changers, admin);
    }

    /** Whoever of the two publishes: the other goes on for it, and what both take is still one row of changes. */
    @Test
    @Order(2)
    void of_two_replicas_the_one_that_lives_takes_and_publishes_changes() throws Exception {
        try (ConfigInstance second = ConfigInstance.start(postgres, kafka)) {
            List<ConfigInstance> replicas = List.of(first, second);
            Changers changers = Changers.start("pair", 2 * CHANGERS, List.of(up(first), up(second)));
            for (int kill = 0; kill < Math.max(2, KILLS / 3); kill++) {
                ConfigInstance victim = replicas.get(kill % replicas.size());
                awaitMore(changers, CHANGERS);
                victim.kill();
                awaitMore(changers, CHANGERS);
                long revision = changers.revision();
                eventually("the other publishes what it took").until(() -> last(kafka) >= revision);
                victim.restart();
            }
            assertAllTold(kafka, changers, up(second));
        }
    }

    private static KafkaUnderTest kafkaWithTopics() {
        KafkaUnderTest kafka = KafkaUnderTest.start();
        Topics.ensure(kafka.directAddress());
        return kafka;
    }

    private static Admin up(ConfigInstance service) throws Exception {
        Admin admin = new Admin(service);
        eventually("the first admin is known").until(admin::isUp);
        return admin;
    }

    private static void assertAllTold(KafkaUnderTest kafka, Changers changers, Admin admin) throws Exception {
        List<Answered> answered = changers.stop();
        long revision = lastRevision(admin);
        eventually("Kafka has the last change").until(() -> last(kafka) >= revision);

        List<Told> told = PolicyTopic.read(kafka.directAddress());
        System.out.printf(
                "%d changes answered, %d not, %d revisions, %d records, seed %d%n",
                answered.size(), changers.failures(), revision, told.size(), SEED);
        assertOnceAndInOrder(told, revision);
        assertTold(answered, told);
        assertInEffect(admin, told);
    }

    private static void awaitMore(Changers changers, int more) throws Exception {
        int enough = changers.count() + more;
        eventually("changes are answered").until(() -> changers.count() >= enough);
    }

    private static void killAgainAndAgain(ConfigInstance service, Changers changers) throws Exception {
        Random random = new Random(SEED);
        for (int kill = 0; kill < KILLS; kill++) {
            awaitMore(changers, random.nextInt(ANSWERS_MAX));
            // Not right after an answer only: at any moment.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MORE_MILLIS_MAX)));
            service.kill();
            service.restart();
        }
        System.out.printf("%d kills%n", KILLS);
    }

    /** That of one more change, which the database makes: what is read may come from a copy. */
    private static long lastRevision(Admin admin) throws Exception {
        AtomicLong revision = new AtomicLong();
        eventually("the service takes a last change").until(() -> {
            HttpResponse<String> answer = admin.put("last", 1);
            answer.headers().firstValueAsLong(Admin.REVISION).ifPresent(revision::set);
            return answer.statusCode() < 300;
        });
        return revision.get();
    }

    private static long last(KafkaUnderTest kafka) {
        List<Told> told = PolicyTopic.read(kafka.directAddress());
        return told.isEmpty() ? 0 : told.get(told.size() - 1).revision();
    }

    /** Each change is of one entry, so the topic is the database's revisions, each once. */
    private static void assertOnceAndInOrder(List<Told> told, long revision) {
        assertThat(told.stream().map(Told::revision).toList())
                .as("seed %d", SEED)
                .isEqualTo(LongStream.rangeClosed(1, revision).boxed().toList());
        assertThat(told.stream().map(Told::position).toList()).isSorted().doesNotHaveDuplicates();
    }

    private static void assertTold(List<Answered> answered, List<Told> told) {
        Map<Long, Told> byRevision = told.stream().collect(Collectors.toMap(Told::revision, Function.identity()));
        for (Answered each : answered) {
            Told record = Optional.ofNullable(byRevision.get(each.revision()))
                    .orElseThrow(() -> new AssertionError("not in the topic: " + each));
            assertThat(record.key()).endsWith(each.policy());
            assertThat(Admin.limit(record.value())).isEqualTo(each.limit());
        }
    }

    /** What the topic says last of a policy is what the service says of it. */
    private static void assertInEffect(Admin admin, List<Told> told) throws Exception {
        Map<String, Told> latest =
                told.stream().collect(Collectors.toMap(Told::key, Function.identity(), (before, after) -> after));
        for (Told each : latest.values()) {
            String policy = each.key().substring(each.key().lastIndexOf('/') + 1);
            assertThat(Admin.limit(admin.get("policies/" + policy).body())).isEqualTo(Admin.limit(each.value()));
        }
    }
}
