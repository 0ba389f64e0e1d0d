package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.ops.SyncMetrics;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Makes leaders of candidates. First no predecessor may have a transaction on its way; then it is asked where the topics end,
 * counting what is not committed too, because Kafka confirms a commit before readers see it; then all up to there is read.
 */
final class Takeovers {
    private static final Logger LOG = Logger.getLogger(Takeovers.class);

    private final Group group;
    private final Ends.Asked ends;
    private final TopicPair topics;
    private final Memory memory;
    private final SyncMetrics metrics;
    private final TimeSource time;
    private @Nullable Ends asked;

    Takeovers(Group group, Ends.Asked ends, TopicPair topics, Memory memory, SyncMetrics metrics, TimeSource time) {
        this.group = group;
        this.ends = ends;
        this.topics = topics;
        this.memory = memory;
        this.metrics = metrics;
        this.time = time;
    }

    /** Goes on by what can be done now. */
    void step() {
        takeAnswer();
        settle();
        ask();
        lead();
    }

    /** An answer that not all of its partitions wait for any more is of no use: one may have been lost and given again. */
    private void takeAnswer() {
        Ends last = asked;
        if (last == null) {
            return;
        }
        if (last.hasFailed() || !last.partitions().equals(at(Place.Settled.class))) {
            asked = null;
        } else if (last.isAnswered()) {
            asked = null;
            last.partitions().forEach(each -> {
                if (memory.partition(each).place() instanceof Place.Settled settled) {
                    memory.partition(each)
                            .move(settled.until(
                                    last.of(each).usage(), last.of(each).verdicts()));
                }
            });
        }
    }

    private void settle() {
        Set<Integer> unsettled = at(Place.Unsettled.class);
        if (!unsettled.isEmpty() && group.isSettled(unsettled)) {
            memory.partitions().forEach(partition -> {
                if (partition.place() instanceof Place.Unsettled place) {
                    partition.move(place.settled());
                }
            });
        }
    }

    private void ask() {
        Set<Integer> settled = at(Place.Settled.class);
        if (asked == null && !settled.isEmpty()) {
            asked = new Ends(settled, ends.of(settled));
        }
    }

    private void lead() {
        Set<Integer> taken = new TreeSet<>();
        memory.partitions().forEach(partition -> {
            int number = partition.number();
            if (partition.place() instanceof Place.CatchingUp place
                    && place.isDone(memory.position(topics.usage(number)), memory.position(topics.verdicts(number)))) {
                partition.lead(place, time.wallMicros());
                taken.add(number);
            }
        });
        if (!taken.isEmpty()) {
            metrics.tookOver(taken.size());
            LOG.infof("leadership is taken over: partitions=%s", taken);
        }
    }

    private Set<Integer> at(Class<? extends Place> place) {
        return memory.partitions().stream()
                .filter(partition -> place.isInstance(partition.place()))
                .map(Partition::number)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
