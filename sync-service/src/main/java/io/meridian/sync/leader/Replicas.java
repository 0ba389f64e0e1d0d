package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a replica with new clients, over and over, which goes on with what the one before it had read. */
final class Replicas implements Supplier<Replica> {
    private final SyncConfig config;
    private final KafkaClients clients;
    private final Supplier<Book> books;
    private final Placement placement;
    private final RegionStats regions;
    private final SyncMetrics metrics;
    private final TimeSource time;
    private final Overshoots overshoots;
    private @Nullable Memory memory;

    Replicas(
            SyncConfig config,
            KafkaClients clients,
            Supplier<Book> books,
            Placement placement,
            RegionStats regions,
            SyncMetrics metrics,
            TimeSource time) {
        this.config = config;
        this.clients = clients;
        this.books = books;
        this.placement = placement;
        this.regions = regions;
        this.metrics = metrics;
        this.time = time;
        this.overshoots = new Overshoots(metrics);
    }

    /** Fails as Kafka does while it is away or has no topics. */
    @Override
    public Replica get() {
        Consumer<byte[], byte[]> reading = clients.reader();
        try {
            TopicPair topics = Reader.topics(reading, config);
            Memory known = memory(topics);
            Reader reader = new Reader(
                    reading,
                    topics,
                    known,
                    new Hearing(placement, topics.partitions(), regions, metrics, config.incarnationAhead()));
            Membership membership = new Membership(clients.member(), topics, known);
            Admin admin = clients.admin();
            Speaker speaker = new Speaker(clients::producer, membership::fence, topics, config.fence());
            Takeovers takeovers = new Takeovers(membership, new KafkaEnds(admin, topics), topics, known, metrics, time);
            Ticker ticker = new Ticker(config, topics, known, speaker, regions, metrics, time);
            Leading leading = new Leading(takeovers, ticker, known, overshoots, time);
            return new Replica(reader, membership, admin, leading, speaker, ticker, known, overshoots, metrics);
        } catch (RuntimeException failed) {
            reading.close();
            throw failed;
        }
    }

    /** A topic with other partitions than before is another topic. */
    private Memory memory(TopicPair topics) {
        Memory known = memory;
        if (known == null || known.partitions().size() != topics.partitions()) {
            known = new Memory(topics.partitions(), books);
            memory = known;
        }
        return known;
    }
}
