package io.meridian.sync.kafka;

import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/** Errors by which Kafka fences a leader that was replaced. */
final class FencingErrors {
    private static final Set<Class<? extends Exception>> KINDS = Set.of(
            CommitFailedException.class,
            FencedInstanceIdException.class,
            IllegalGenerationException.class,
            UnknownMemberIdException.class,
            InvalidProducerEpochException.class,
            ProducerFencedException.class);

    private static final int DEPTH_MAX = 8;

    private FencingErrors() {}

    /** Whether it, or what it was caused by, is such an error: a producer repeats what it once failed for as a cause. */
    static boolean isFenced(Throwable failure) {
        return Stream.iterate(failure, each -> each != null, Throwable::getCause)
                .limit(DEPTH_MAX)
                .anyMatch(each -> KINDS.stream().anyMatch(kind -> kind.isInstance(each)));
    }

    /** A membership by which the broker can fence. For a producer without one it checks nothing. */
    static ConsumerGroupMetadata known(ConsumerGroupMetadata member) {
        if (member.generationId() < 0 || member.memberId().isEmpty()) {
            throw new IllegalGenerationException("not a member of the group " + member.groupId());
        }
        return member;
    }
}
