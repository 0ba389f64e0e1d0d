package io.meridian.drill.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Event.UsageReported;
import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.DrillTarget.UsageReader;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.Usage;
import io.meridian.model.usage.UsageCount;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long usage is waited for, by a clock that moves on by a second whenever somebody looks at it. */
class UsageCollectorTest {
    private static final Subject SUBJECT =
            new Subject("p", "user_id=42", Subject.Sharing.ESCROW, 10, Duration.ofSeconds(1));
    private static final int ADMITTED = 5;

    private final SteppingTime time = new SteppingTime();
    private final EventRecorder recorder = new EventRecorder(time, event -> {});
    private final FakeTarget target;

    UsageCollectorTest() throws Exception {
        target = new FakeTarget();
    }

    @AfterEach
    void nothing_is_left() {
        target.close();
    }

    @Test
    void a_world_that_goes_on_to_tell_is_waited_for() throws Exception {
        assertThat(read(second -> second / 10)).isEqualTo(ADMITTED);
    }

    @Test
    void a_world_that_has_nothing_new_to_tell_is_not_waited_for() throws Exception {
        assertThat(read(second -> second < 5 ? 1 : second < 100 ? 2 : ADMITTED)).isEqualTo(2);
    }

    @Test
    void a_world_that_tells_other_things_without_end_is_waited_for_no_longer_than_the_bound() throws Exception {
        assertThat(read(second -> ADMITTED + 1 + second)).isGreaterThan(ADMITTED);
    }

    /** What is told in the end, if so much is told after so many seconds. */
    private long read(LongUnaryOperator toldBySecond) throws Exception {
        for (int i = 0; i < ADMITTED; i++) {
            recorder.accept(new Checked(0, 0, 1, "a", "p", Outcome.ALLOWED, 1_000_000, false, false, ""));
        }
        target.usage = Optional.of(new UsageReader() {
            @Override
            public Usage of(Subject subject, long windowEndMicros) {
                long told = toldBySecond.applyAsLong(time.second);
                return Usage.NONE.merge(new RegionIncarnation("a", 1), new UsageCount(told, 0));
            }

            @Override
            public void close() {}
        });

        new UsageCollector(target, List.of(SUBJECT), recorder, new DrillClock(time)).collect();

        return recorder.events().stream()
                .filter(UsageReported.class::isInstance)
                .map(UsageReported.class::cast)
                .filter(told -> told.region().equals("a"))
                .findFirst()
                .orElseThrow()
                .used();
    }

    private static final class SteppingTime implements TimeSource {
        private long second;

        @Override
        public long monotonicNanos() {
            return TimeUnit.SECONDS.toNanos(second++);
        }

        @Override
        public long wallMicros() {
            return 0;
        }
    }
}
