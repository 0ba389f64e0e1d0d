package io.meridian.sync.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class FencingErrorsTest {
    @Test
    void a_refusal_is_known_by_itself_and_as_a_cause() {
        assertThat(FencingErrors.isFenced(new CommitFailedException())).isTrue();
        assertThat(FencingErrors.isFenced(new KafkaException("error state", new ProducerFencedException("old"))))
                .isTrue();
    }

    @Test
    void what_may_have_been_committed_is_no_refusal() {
        assertThat(FencingErrors.isFenced(new TimeoutException("no answer"))).isFalse();
    }

    @Test
    void who_has_no_place_in_the_group_does_not_speak_because_the_broker_would_not_fence_it() {
        ConsumerGroupMetadata placeless = new ConsumerGroupMetadata("group");

        assertThatThrownBy(() -> FencingErrors.known(placeless)).isInstanceOf(IllegalGenerationException.class);
    }

    @Test
    void who_has_a_place_is_held_against_it() {
        ConsumerGroupMetadata place = new ConsumerGroupMetadata("group", 3, "member", Optional.empty());

        assertThat(FencingErrors.known(place)).isSameAs(place);
    }
}
