package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.LocalStack.ParallelStart;
import io.meridian.stack.process.StartFailure;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ParallelStartTest {
    private static final int STOP_MILLIS = 500;

    private final ParallelStart starts = new ParallelStart();
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicBoolean stoppedInOrder = new AtomicBoolean();

    @Test
    void the_first_failure_ends_the_others_and_is_thrown() {
        assertThatThrownBy(() -> starts.run(List.of(this::startThatWaits, this::startThatFails)))
                .isInstanceOf(StartFailure.class)
                .hasMessage("no");
        assertThat(stoppedInOrder).isTrue();
    }

    @Test
    void what_stops_in_order_is_not_interrupted_by_a_second_close() throws Exception {
        Thread closesToo = new Thread(() -> {
            awaitQuietly(waiting);
            starts.close();
        });
        closesToo.start();

        assertThatThrownBy(() -> starts.run(List.of(this::startThatWaits, this::startThatFails)))
                .isInstanceOf(StartFailure.class);
        closesToo.join();
        assertThat(stoppedInOrder).isTrue();
    }

    private void startThatFails() {
        awaitQuietly(waiting);
        throw new StartFailure("no");
    }

    /** Waits for an interrupt, and then takes a while to stop, as a server does. */
    private void startThatWaits() {
        waiting.countDown();
        try {
            never.await();
        } catch (InterruptedException asked) {
            try {
                stoppedInOrder.set(!never.await(STOP_MILLIS, TimeUnit.MILLISECONDS));
            } catch (InterruptedException again) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
