package io.meridian.stack.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.time.TimeSource;
import io.meridian.testkit.TestSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Time stands still unless a test moves it. */
class DelayLineTest {
    private static final long LATENCY_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final LinkConditions CLEAR = new LinkConditions(0, 0, 0, 0, Map.of());
    private static final LinkConditions SLOW = new LinkConditions(LATENCY_NANOS, 0, 0, 0, Map.of());
    private static final LinkConditions JITTERY = new LinkConditions(LATENCY_NANOS, LATENCY_NANOS, 0, 0, Map.of());
    private static final LinkConditions HOLE =
            new LinkConditions(0, 0, 0, 0, Map.of("hole", new ToxicEffect.Timeout(0)));

    private final AtomicLong nowNanos = new AtomicLong(Long.MAX_VALUE - 10);
    private final TimeSource time = new TimeSource() {
        @Override
        public long monotonicNanos() {
            return nowNanos.get();
        }

        @Override
        public long wallMicros() {
            throw new AssertionError("a delay is no instant");
        }
    };

    @Test
    void chunks_wait_side_by_side_and_not_one_after_the_other() {
        DelayLine line = line(SLOW);
        for (byte i = 0; i < 100; i++) {
            line.put(new byte[] {i});
        }
        assertThat(line.take()).isEmpty();
        nowNanos.addAndGet(LATENCY_NANOS);
        for (byte i = 0; i < 100; i++) {
            assertThat(line.take().orElseThrow().bytes()).containsExactly(i);
        }
    }

    @Test
    void jitter_keeps_the_order() {
        DelayLine line = line(JITTERY);
        for (byte i = 0; i < 100; i++) {
            line.put(new byte[] {i});
        }
        nowNanos.addAndGet(2 * LATENCY_NANOS);
        List<Byte> order = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            order.add(line.take().orElseThrow().bytes()[0]);
        }
        assertThat(order).isSorted();
    }

    @Test
    void a_chunk_is_due_after_the_delay_in_force() {
        DelayLine line = line(SLOW);
        assertThat(line.nextDueNanos()).isEmpty();
        line.put(new byte[1]);
        assertThat(line.nextDueNanos()).contains(nowNanos.get() + LATENCY_NANOS);
        nowNanos.addAndGet(LATENCY_NANOS - 1);
        assertThat(line.take()).isEmpty();
        nowNanos.incrementAndGet();
        assertThat(line.take()).isPresent();
    }

    @Test
    void at_the_bound_of_bytes_the_line_is_full_until_there_is_room() {
        DelayLine line = line(SLOW);
        puts(line, DelayLine.CHUNK_BYTES_MAX, DelayLine.BYTES_MAX / DelayLine.CHUNK_BYTES_MAX);
        assertThat(line.isFull()).isTrue();
        assertThat(line.bytesHeld()).isEqualTo(DelayLine.BYTES_MAX);
        assertThatThrownBy(() -> line.put(new byte[1])).isInstanceOf(IllegalStateException.class);
        nowNanos.addAndGet(LATENCY_NANOS);
        assertThat(line.take()).isPresent();
        assertThat(line.isFull()).isFalse();
        line.put(new byte[DelayLine.CHUNK_BYTES_MAX]);
        assertThat(line.bytesHeld()).isEqualTo(DelayLine.BYTES_MAX);
    }

    @Test
    void at_the_bound_of_chunks_the_line_is_full_until_there_is_room() {
        DelayLine line = line(SLOW);
        puts(line, 1, DelayLine.CHUNKS_MAX);
        assertThat(line.isFull()).isTrue();
        assertThat(line.bytesHeld()).isEqualTo(DelayLine.CHUNKS_MAX);
        assertThat(line.change(CLEAR)).isTrue();
        assertThat(line.take()).isPresent();
        assertThat(line.isFull()).isFalse();
    }

    @Test
    void a_black_hole_makes_room_in_a_full_line_and_keeps_nothing() {
        DelayLine line = line(SLOW);
        puts(line, 1, DelayLine.CHUNKS_MAX);
        assertThat(line.change(HOLE)).isTrue();
        assertThat(line.isFull()).isFalse();
        line.put(new byte[1]);
        assertThat(line.bytesHeld()).isZero();
    }

    @Test
    void a_black_hole_says_when_it_took_the_end() {
        DelayLine line = line(SLOW);
        assertThat(line.putEnd()).isTrue();
        assertThat(line.change(HOLE)).isFalse();
        assertThat(line.putEnd()).isFalse();
    }

    @Test
    void a_chunk_that_leaves_late_does_not_let_the_next_exceed_the_bandwidth() {
        // A kilobyte a millisecond.
        DelayLine line = line(new LinkConditions(0, 0, 0, 1_000_000, Map.of()));
        puts(line, 1_000, 2);
        nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(line.take()).isPresent();
        // Of the lateness at most a millisecond is made up for.
        assertThat(line.nextDueNanos()).contains(nowNanos.get());
        line.take();
        line.put(new byte[1_000]);
        assertThat(line.take()).isEmpty();
        assertThat(line.nextDueNanos()).contains(nowNanos.get() + TimeUnit.MILLISECONDS.toNanos(1));
    }

    private DelayLine line(LinkConditions conditions) {
        return new DelayLine(time, new SplittableRandom(TestSeeds.first()), conditions);
    }

    private static void puts(DelayLine line, int bytes, int times) {
        for (int i = 0; i < times; i++) {
            line.put(new byte[bytes]);
        }
    }
}
