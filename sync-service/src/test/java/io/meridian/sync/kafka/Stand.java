package io.meridian.sync.kafka;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.testkit.servers.KafkaUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Two topics and a group of their own on a real Kafka, regions that report, and replicas that a test makes go on. */
final class Stand implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    /** Longer than any test: a replica loses its place because it leaves or is removed, not because the machine is busy. */
    private static final List<String> PATIENCE =
            List.of("session", "1200S", "stall", "1200S", "transaction-timeout", "600S", "answer-within", "120S");

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final String number = Integer.toString(NUMBERS.incrementAndGet());
    private final KafkaUnderTest kafka;
    private final int partitions;
    private final KafkaProducer<byte[], byte @Nullable []> regions;
    private final List<Actor> open = new ArrayList<>();

    Stand(KafkaUnderTest kafka, int partitions) {
        this.kafka = kafka;
        this.partitions = partitions;
        kafka.createTopic("usage-" + number, partitions);
        kafka.createTopic("verdicts-" + number, partitions);
        Map<String, Object> options = KafkaSettings.producer(Map.of(), kafka.bootstrapServers(), "regions")
                .asMap();
        regions = new KafkaProducer<>(options, new ByteArraySerializer(), new ByteArraySerializer());
        // A topic that was just made is known to the broker a moment later; this waits for it.
        var unused = regions.partitionsFor("usage-" + number);
        var unusedToo = regions.partitionsFor("verdicts-" + number);
    }

    /** Settings of a replica as in production, on its own topics. */
    Map<String, String> settings(String replica, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "meridian.sync.replica", replica,
                "meridian.sync.bootstrap-servers", kafka.bootstrapServers(),
                "meridian.sync.group", "group-" + number,
                "meridian.sync.usage-topic", "usage-" + number,
                "meridian.sync.verdicts-topic", "verdicts-" + number));
        for (int i = 0; i < more.length; i += 2) {
            settings.put("meridian.sync." + more[i], more[i + 1]);
        }
        return settings;
    }

    Actor replica(String name, String... more) {
        return replica(name, true, more);
    }

    Actor replica(String name, boolean fenced, String... more) {
        List<String> all = new ArrayList<>(PATIENCE);
        all.addAll(List.of(more));
        Actor actor = new Actor(settings(name, all.toArray(String[]::new)), fenced);
        open.add(actor);
        return actor;
    }

    /** One leaves as a process does that is stopped. */
    void leave(Actor actor) {
        open.remove(actor);
        actor.close();
    }

    /** Removes every member from the group, as the broker does with one that was silent for too long. */
    void removeMembers() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.directAddress()))) {
            admin.removeMembersFromConsumerGroup("group-" + number, new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Makes these go on in turns until it is so. */
    void until(String what, BooleanSupplier condition, Actor... actors) {
        TimeSource time = TimeSource.system();
        long giveUpNanos = time.monotonicNanos() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (time.monotonicNanos() > giveUpNanos) {
                throw new AssertionError("still not so: " + what);
            }
            List.of(actors).forEach(Actor::step);
        }
    }

    String verdictsTopic() {
        return "verdicts-" + number;
    }

    void report(int partition, String key) {
        UsageRecord usage = Records.usage(key);
        send("usage-" + number, partition, usage.key(), usage.value());
    }

    void publishAsOf(long epoch, int partition, String key) {
        VerdictRecord verdict = Records.verdict(Records.usage(key), epoch);
        send("verdicts-" + number, partition, verdict.key(), verdict.value());
    }

    void send(boolean usage, int partition, byte[] key, byte @Nullable [] value) {
        send((usage ? "usage-" : "verdicts-") + number, partition, key, value);
    }

    private void send(String topic, int partition, byte[] key, byte @Nullable [] value) {
        try {
            regions.send(new ProducerRecord<>(topic, partition, key, value)).get();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** All beats that were committed, in their order within a partition. */
    List<LeaderBeat> beats() {
        return committed().stream()
                .filter(each -> LeaderBeat.isBeat(each.key()))
                .map(each -> LeaderBeat.decode(each.value()))
                .toList();
    }

    /** All verdicts that were committed. */
    List<VerdictRecord> verdicts() {
        return committed().stream()
                .filter(each -> !LeaderBeat.isBeat(each.key()))
                .map(each -> VerdictRecord.decode(each.key(), each.value()))
                .toList();
    }

    private List<ConsumerRecord<byte[], byte[]>> committed() {
        Map<String, Object> options = KafkaSettings.consumer(Map.of(), kafka.directAddress(), "listener")
                .with("auto.offset.reset", "earliest")
                // Closing waits for a fetch that is on its way.
                .with("fetch.max.wait.ms", 20)
                .asMap();
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(options, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> which = IntStream.range(0, partitions)
                    .mapToObj(each -> new TopicPartition("verdicts-" + number, each))
                    .toList();
            consumer.assign(which);
            Map<TopicPartition, Long> ends = consumer.endOffsets(which);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        return all;
    }

    @Override
    public void close() {
        open.parallelStream().forEach(Actor::close);
        regions.close();
    }
}
