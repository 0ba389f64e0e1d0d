package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.config.outbox.Outbox.Pending;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Publishers that die at any call, on a real PostgreSQL and Kafka: what was committed is in the topic once and in order. */
@ExtendWith(OutboxServers.class)
@Timeout(1_800)
class PublishingTest {
    /** Rounds of every kind of death, in an order of its own. */
    private static final int ROUNDS = TestAmounts.of(1, 8);

    private static final int ENTRIES_MAX = 4;
    private static final int ZOMBIES_MAX = 5;

    private final List<Pending> committed = new ArrayList<>();
    private final Deque<Producer<String, @Nullable String>> zombies = new ArrayDeque<>();

    @Test
    void whatever_call_a_publisher_dies_at_every_change_arrives_once_and_in_order(OutboxStand stand) {
        long seed = TestSeeds.first();
        Random random = new Random(seed);
        Runnable changes = () -> {
            if (random.nextInt(3) == 0) {
                committed.addAll(stand.change(1 + random.nextInt(ENTRIES_MAX)));
            }
        };
        int fenced = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (PublisherDeath death : deathsAtEveryCall(random, changes)) {
                live(stand, death);
                fenced += goOnAsZombie();
            }
        }
        stand.publishAll();

        assertThat(stand.published()).as("-Dmeridian.seed=%d", seed).isEqualTo(committed);
        assertThat(stand.outbox().backlog().records()).isZero();
        System.out.printf("%d rounds of deaths, %d entries, %d zombies refused%n", ROUNDS, committed.size(), fenced);
        zombies.forEach(zombie -> zombie.close(Duration.ZERO));
    }

    private static List<PublisherDeath> deathsAtEveryCall(Random random, Runnable meanwhile) {
        List<PublisherDeath> deaths = new ArrayList<>();
        for (PublisherDeath.Call call : PublisherDeath.Call.values()) {
            deaths.add(PublisherDeath.at(call, false, random, meanwhile));
            deaths.add(PublisherDeath.at(call, true, random, meanwhile));
        }
        Collections.shuffle(deaths, random);
        return deaths;
    }

    /** One term, up to its end. The producer stays open: its process may be only frozen. */
    private void live(OutboxStand stand, PublisherDeath death) {
        Producer<String, @Nullable String> producer = stand.producer();
        zombies.addLast(producer);
        try {
            Producer<String, @Nullable String> mortal = death.over(producer);
            mortal.initTransactions();
            BatchPublisher publication = new BatchPublisher(
                    mortal,
                    death.over(stand),
                    stand.config().topic(),
                    stand.config().batch());
            publication.begin(stand.log().last().position());
            while (true) {
                var unused = publication.publish();
            }
        } catch (PublisherDeath.Death died) {
            if (zombies.size() > ZOMBIES_MAX) {
                zombies.removeFirst().close(Duration.ZERO);
            }
        }
    }

    /** The one before the last wakes up and ends what it had begun; whatever it does comes too late. */
    private int goOnAsZombie() {
        if (zombies.size() < 2) {
            return 0;
        }
        Producer<String, @Nullable String> last = zombies.removeLast();
        Producer<String, @Nullable String> zombie = zombies.removeLast();
        zombies.addLast(last);
        try {
            zombie.commitTransaction();
            return 0;
        } catch (KafkaException fenced) {
            return 1;
        } catch (IllegalStateException nothingBegun) {
            return 0;
        } finally {
            zombie.close(Duration.ZERO);
        }
    }

    @Test
    void without_asking_the_topic_how_far_it_got_a_change_would_arrive_twice(OutboxStand stand) {
        List<Pending> made = stand.change(2);
        // It dies before it forgets.
        live(stand, PublisherDeath.after(PublisherDeath.Call.COMMIT_TRANSACTION));

        try (Producer<String, @Nullable String> producer = stand.producer()) {
            producer.initTransactions();
            BatchPublisher careless =
                    new BatchPublisher(producer, stand.outbox(), stand.config().topic(), 3);
            careless.begin(0);
            assertThat(careless.publish()).hasSize(2);
        }

        assertThat(stand.published()).containsExactly(made.get(0), made.get(1), made.get(0), made.get(1));
        zombies.forEach(zombie -> zombie.close(Duration.ZERO));
    }

    @Test
    void a_revision_that_takes_several_batches_is_whole_with_the_last_of_them(OutboxStand stand) {
        stand.change(2);
        stand.change(3);
        stand.change(1);
        stand.change(7);

        stand.publishAll();

        // Batches of three end within the second, with the third, and twice within the fourth.
        assertThat(stand.wholeRevisions()).containsExactly("1", "3", "3", "3", "4");
    }

    @Test
    void deleting_before_kafka_has_it_would_lose_a_change(OutboxStand stand) {
        List<Pending> made = stand.change(2);
        Outbox hasty = new Outbox(stand.database()) {
            @Override
            List<Pending> next(int max) {
                List<Pending> next = super.next(max);
                next.forEach(each -> deleteUpTo(each.position()));
                return next;
            }
        };
        // It dies in the middle of the batch.
        try (Producer<String, @Nullable String> producer = stand.producer()) {
            Producer<String, @Nullable String> mortal =
                    PublisherDeath.after(PublisherDeath.Call.SEND).over(producer);
            mortal.initTransactions();
            BatchPublisher publication =
                    new BatchPublisher(mortal, hasty, stand.config().topic(), 3);
            assertThatThrownBy(publication::publish).isInstanceOf(PublisherDeath.Death.class);
        }

        stand.publishAll();

        assertThat(made).hasSize(2);
        assertThat(stand.published()).isEmpty();
    }

    @Test
    void a_publisher_that_was_succeeded_is_refused_and_only_because_they_share_an_id(OutboxStand stand) {
        List<Pending> made = stand.change(1);
        try (Producer<String, @Nullable String> zombie = stand.producer();
                Producer<String, @Nullable String> stranger = stand.stranger();
                Producer<String, @Nullable String> successor = stand.producer()) {
            zombie.initTransactions();
            stranger.initTransactions();
            zombie.beginTransaction();
            stranger.beginTransaction();
            var unused = zombie.send(RecordHeaders.record(stand.config().topic(), made.get(0)));
            var unusedToo = stranger.send(RecordHeaders.record(stand.config().topic(), made.get(0)));

            successor.initTransactions();
            // Without a look at the topic, which would wait for the stranger to end.
            stand.publishAfter(0, successor);

            assertThatThrownBy(zombie::commitTransaction).isInstanceOf(KafkaException.class);
            stranger.commitTransaction();
            zombie.close(Duration.ZERO);
        }

        assertThat(stand.published()).containsExactlyInAnyOrder(made.get(0), made.get(0));
    }
}
