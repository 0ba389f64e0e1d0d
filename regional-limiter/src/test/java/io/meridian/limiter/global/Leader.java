package io.meridian.limiter.global;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.kafka.WholeTopic;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.PolicyJson;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The leader of all partitions as a limiter sees it: hears what is used, and says what the test has it say. */
final class Leader implements AutoCloseable {
    static final String USAGE = "usage";
    private static final String VERDICTS = "verdicts";
    private static final String POLICIES = "policies";
    static final int PARTITIONS = 4;

    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<UsageRecord> heard = new ArrayList<>();
    private final Map<Integer, RegionAnnouncement> announced = new HashMap<>();
    private long sequence;

    Leader(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            make(admin, USAGE, PARTITIONS);
            make(admin, VERDICTS, PARTITIONS);
            make(admin, POLICIES, 1);
        }
        WholeTopic.tell(bootstrapServers, POLICIES);
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new ByteArraySerializer(), new ByteArraySerializer());
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(IntStream.range(0, PARTITIONS)
                .mapToObj(number -> new TopicPartition(USAGE, number))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
    }

    private static void make(Admin admin, String topic, int partitions) throws Exception {
        try {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    /** Writes policies to their topic, as the config-service does. */
    void publish(List<String> policies) {
        for (String json : policies) {
            RuleEntry entry = new RuleEntry.OfPolicy(PolicyJson.read(json));
            Future<?> unused = producer.send(new ProducerRecord<>(
                    POLICIES,
                    EntryCodec.key(entry.key()).getBytes(StandardCharsets.UTF_8),
                    EntryCodec.value(entry).getBytes(StandardCharsets.UTF_8)));
        }
        producer.flush();
    }

    private void poll() {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
            if (RegionAnnouncement.isAnnouncement(record.key())) {
                announced.put(record.partition(), RegionAnnouncement.decode(record.key(), record.value()));
            } else {
                heard.add(UsageRecord.decode(record.key(), record.value()));
            }
        }
    }

    /** The last announcement in each partition. */
    Map<Integer, RegionAnnouncement> announced() {
        poll();
        return announced;
    }

    /** The last that was reported of a limit so far. */
    Optional<UsageRecord> last(String policy, String key) {
        poll();
        return heard.stream()
                .filter(usage -> usage.limit().policyId().equals(policy)
                        && usage.limit().key().equals(key))
                .reduce((before, after) -> after);
    }

    /** Every leader says that it is there. */
    void beat() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Future<?> unused = producer.send(
                    new ProducerRecord<>(VERDICTS, partition, LeaderBeat.key(), new LeaderBeat(1, "test", 0).value()));
        }
        producer.flush();
    }

    /** Answers to what was reported. */
    void say(UsageRecord to, long elsewhere, boolean blocked, long granted, long keep) {
        sequence++;
        VerdictRecord verdict = new VerdictRecord(
                to.limit(),
                to.incarnation(),
                1,
                sequence,
                to.rule(),
                elsewhere,
                blocked,
                granted,
                keep,
                to.sentMicros(),
                100);
        int partition =
                TestKeys.KEYS.shard(to.limit().policyId(), to.limit().key()).partition(PARTITIONS);
        Future<?> unused = producer.send(new ProducerRecord<>(VERDICTS, partition, verdict.key(), verdict.value()));
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
        consumer.close();
    }
}
