package io.meridian.sync.leader;

import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/** How Kafka says that another one leads. */
final class Refusals {
    private static final Set<Class<? extends Exception>> KINDS = Set.of(
            CommitFailedException.class,
            FencedInstanceIdException.class,
            IllegalGenerationException.class,
            UnknownMemberIdException.class,
            InvalidProducerEpochException.class,
            ProducerFencedException.class);

    private static final int DEPTH_MAX = 8;

    private Refusals() {}

    /** Whether it, or what it was caused by, is a refusal: a producer repeats what it once failed for as a cause. */
    static boolean isRefusal(Throwable failure) {
        return Stream.iterate(failure, each -> each != null, Throwable::getCause)
                .limit(DEPTH_MAX)
                .anyMatch(each -> KINDS.stream().anyMatch(kind -> kind.isInstance(each)));
    }

    /** A place in the group by which the broker can fence. Of who has none it asks nothing, and lets everybody through. */
    static ConsumerGroupMetadata known(ConsumerGroupMetadata place) {
        if (place.generationId() < 0 || place.memberId().isEmpty()) {
            throw new IllegalGenerationException("not a member of the group " + place.groupId());
        }
        return place;
    }
}
