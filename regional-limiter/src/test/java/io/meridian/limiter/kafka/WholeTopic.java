package io.meridian.limiter.kafka;

import static io.meridian.testkit.Await.eventually;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Marker by which a topic of policies is said to be whole. */
public final class WholeTopic {
    private WholeTopic() {}

    /** Says of the topic that has this name now that it has every entry there is; of no revision, so that none is known by it. */
    public static void tell(String bootstrapServers, String topic) throws Exception {
        String[] identity = {""};
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            // The broker knows of a topic that was just created a moment later.
            eventually("the topic is known").until(() -> {
                try {
                    identity[0] = Objects.requireNonNull(admin.describeTopics(List.of(topic))
                                    .topicNameValues()
                                    .get(topic))
                            .get(120, TimeUnit.SECONDS)
                            .topicId()
                            .toString();
                    return true;
                } catch (ExecutionException notYet) {
                    return false;
                }
            });
        }
        ProducerRecord<String, String> marker = new ProducerRecord<>(topic, "revision", "0");
        marker.headers().add("topic", identity[0].getBytes(StandardCharsets.UTF_8));
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringSerializer(), new StringSerializer())) {
            producer.send(marker).get(120, TimeUnit.SECONDS);
        }
    }
}
