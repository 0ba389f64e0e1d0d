package io.meridian.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a producer is created, and when another takes its place. */
class RecordSenderTest {
    private static final ProducerRecord<String, String> RECORD = new ProducerRecord<>("topic", "value");

    private final SetTime time = new SetTime();
    private final List<MockProducer<String, String>> producers = new ArrayList<>();
    private boolean creatable = true;
    private final RecordSender<String, String> sender = new RecordSender<>("records", "they wait", this::create, time);

    private MockProducer<String, String> create() {
        if (!creatable) {
            throw new KafkaException("no address");
        }
        MockProducer<String, String> producer =
                new MockProducer<>(false, null, new StringSerializer(), new StringSerializer());
        producers.add(producer);
        return producer;
    }

    @Test
    void a_record_is_sent_when_it_is_acknowledged() {
        CompletableFuture<Void> sent = sender.send(RECORD);

        assertThat(sent).isNotDone();
        producers.get(0).completeNext();
        assertThat(sent).isCompleted();
    }

    @Test
    void a_producer_that_cannot_be_created_is_tried_again_a_second_later() {
        creatable = false;
        assertRefused();
        creatable = true;
        assertRefused();

        time.nanos += 1_000_000_000L;

        assertThat(sender.send(RECORD)).isNotDone();
        assertThat(producers).hasSize(1);
    }

    private void assertRefused() {
        assertThatThrownBy(() -> sender.send(RECORD).getNow(null))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void after_a_fatal_failure_another_producer_takes_over() {
        fail(new ClusterAuthorizationException("no"));
        CompletableFuture<Void> sent = sender.send(RECORD);

        assertThat(producers).hasSize(2);
        assertThat(producers.get(0).closed()).isTrue();
        producers.get(1).completeNext();
        assertThat(sent).isCompleted();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimeoutException.class, RecordTooLargeException.class, TopicAuthorizationException.class})
    void after_a_failure_that_passes_or_is_of_one_record_the_producer_stays(Class<? extends RuntimeException> failure)
            throws Exception {
        fail(failure.getConstructor(String.class).newInstance("no"));
        var unused = sender.send(RECORD);

        assertThat(producers).hasSize(1);
    }

    private void fail(RuntimeException failure) {
        CompletableFuture<Void> sent = sender.send(RECORD);
        producers.get(0).errorNext(failure);
        assertThat(sent).isCompletedExceptionally();
    }

    @Test
    void a_closed_sender_creates_no_producer_any_more() {
        sender.close();

        assertThat(sender.send(RECORD)).isCompletedExceptionally();
        assertThat(producers).isEmpty();
    }

    private static final class SetTime implements TimeSource {
        private long nanos;

        @Override
        public long monotonicNanos() {
            return nanos;
        }

        @Override
        public long wallMicros() {
            return nanos / 1_000;
        }
    }
}
