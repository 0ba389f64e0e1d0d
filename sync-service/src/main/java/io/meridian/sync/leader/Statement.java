package io.meridian.sync.leader;

import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.aggregate.Aggregator;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a leader says of one partition in one transaction.
 *
 * @param usagePosition up to where it has heard
 * @param beat null if none is due
 */
record Statement(
        Partition partition,
        long usagePosition,
        Aggregator.Tick tick,
        @Nullable LeaderBeat beat) {
    boolean isEmpty() {
        return beat == null && tick.isEmpty();
    }

    /** The beat first: who reads what follows knows of the epoch. Rights to floors come before the verdicts that count them. */
    Stream<ProducerRecord<byte[], byte[]>> records(String topic) {
        Stream<ProducerRecord<byte[], byte[]>> beats =
                Stream.ofNullable(beat).map(each -> record(topic, LeaderBeat.key(), each.value()));
        Stream<ProducerRecord<byte[], byte[]>> floors =
                tick.floors().stream().map(each -> record(topic, each.key(), each.value()));
        Stream<ProducerRecord<byte[], byte[]>> verdicts =
                tick.verdicts().stream().map(each -> record(topic, each.key(), each.value()));
        return Stream.of(beats, floors, verdicts).flatMap(each -> each);
    }

    private ProducerRecord<byte[], byte[]> record(String topic, byte[] key, byte[] value) {
        return new ProducerRecord<>(topic, partition.number(), key, value);
    }
}
