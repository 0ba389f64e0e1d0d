package io.meridian.stack.faults;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.faults.ProxiedConnection.Pipe;
import io.meridian.testkit.Await;
import io.meridian.testkit.TestSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time stands still unless a test moves it, so a chunk that is not due would never come and the deadline would tell. */
@Timeout(Await.DEADLINE_SECONDS)
class DelayLineTest {
    private static final long LATENCY_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final LinkConditions CLEAR = new LinkConditions(0, 0, 0, 0, Map.of());
    private static final LinkConditions SLOW = new LinkConditions(LATENCY_NANOS, 0, 0, 0, Map.of());
    private static final LinkConditions JITTERY = new LinkConditions(LATENCY_NANOS, LATENCY_NANOS, 0, 0, Map.of());
    private static final LinkConditions HOLE = new LinkConditions(0, 0, 0, 0, Map.of("hole", new Fault.Timeout(0)));

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
    void chunks_wait_side_by_side_and_not_one_after_the_other() throws InterruptedException {
        DelayLine line = line(SLOW);
        for (byte i = 0; i < 100; i++) {
            line.put(new byte[] {i});
        }

        nowNanos.addAndGet(LATENCY_NANOS);

        for (byte i = 0; i < 100; i++) {
            assertThat(line.take().orElseThrow().bytes()).containsExactly(i);
        }
    }

    @Test
    void jitter_keeps_the_order() throws InterruptedException {
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
    void at_the_bound_of_bytes_a_put_waits_for_room() throws InterruptedException {
        DelayLine line = line(SLOW);
        Thread putter = puts(line, new byte[Pipe.READ_BYTES_MAX], DelayLine.BYTES_MAX / Pipe.READ_BYTES_MAX + 1);

        eventually("the putter waits").until(() -> putter.getState() == Thread.State.WAITING);
        assertThat(line.bytesHeld()).isEqualTo(DelayLine.BYTES_MAX);

        nowNanos.addAndGet(LATENCY_NANOS);
        assertThat(line.take()).isPresent();
        putter.join();
        assertThat(line.bytesHeld()).isEqualTo(DelayLine.BYTES_MAX);
    }

    @Test
    void at_the_bound_of_chunks_a_put_waits_for_room() throws InterruptedException {
        DelayLine line = line(SLOW);
        Thread putter = puts(line, new byte[1], DelayLine.CHUNKS_MAX + 1);

        eventually("the putter waits").until(() -> putter.getState() == Thread.State.WAITING);
        assertThat(line.bytesHeld()).isEqualTo(DelayLine.CHUNKS_MAX);

        line.change(CLEAR);
        assertThat(line.take()).isPresent();
        putter.join();
    }

    @Test
    void a_black_hole_frees_a_put_that_waits_and_keeps_nothing() throws InterruptedException {
        DelayLine line = line(SLOW);
        Thread putter = puts(line, new byte[1], DelayLine.CHUNKS_MAX + 1);
        eventually("the putter waits").until(() -> putter.getState() == Thread.State.WAITING);

        assertThat(line.change(HOLE)).isTrue();

        putter.join();
        assertThat(line.bytesHeld()).isZero();
    }

    @Test
    void a_black_hole_says_when_it_took_the_end() throws InterruptedException {
        DelayLine line = line(SLOW);
        assertThat(line.putEnd()).isTrue();

        assertThat(line.change(HOLE)).isFalse();

        assertThat(line.putEnd()).isFalse();
    }

    @Test
    void a_closed_line_frees_who_waits_at_either_end() throws InterruptedException {
        DelayLine line = line(SLOW);
        Thread putter = puts(line, new byte[1], DelayLine.CHUNKS_MAX + 1);
        eventually("the putter waits").until(() -> putter.getState() == Thread.State.WAITING);

        line.close();

        putter.join();
        assertThat(line.take()).isEmpty();
    }

    private DelayLine line(LinkConditions conditions) {
        return new DelayLine(time, new SplittableRandom(TestSeeds.first()), conditions);
    }

    private static Thread puts(DelayLine line, byte[] bytes, int times) {
        Thread putter = new Thread(() -> {
            try {
                for (int i = 0; i < times; i++) {
                    line.put(bytes);
                }
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        });
        putter.setDaemon(true);
        putter.start();
        return putter;
    }
}
