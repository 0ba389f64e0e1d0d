package io.meridian.config.history;

import io.meridian.model.wire.OperationRecord;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.ViolationRecord;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** Decoder of Kafka records into a batch. A record that cannot be decoded is counted and skipped. */
final class BatchReader {
    private final String violationsTopic;
    private final String operationsTopic;

    BatchReader(String violationsTopic, String operationsTopic) {
        this.violationsTopic = violationsTopic;
        this.operationsTopic = operationsTopic;
    }

    HistoryBatch read(ConsumerRecords<byte[], byte[]> records) {
        HistoryBatch batch = new HistoryBatch();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            add(batch, record);
        }
        return batch;
    }

    private void add(HistoryBatch batch, ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null) {
            batch.addUnreadable();
            return;
        }
        try {
            if (record.topic().equals(violationsTopic)) {
                batch.add(record.partition(), record.offset(), ViolationRecord.decode(record.key(), record.value()));
            } else if (record.topic().equals(operationsTopic)) {
                batch.add(OperationRecord.decode(new String(record.value(), StandardCharsets.UTF_8)));
            } else if (!RegionAnnouncement.isAnnouncement(record.key())) {
                batch.add(UsageRecord.decode(record.key(), record.value()));
            }
        } catch (RuntimeException unreadable) {
            batch.addUnreadable();
        }
    }
}
