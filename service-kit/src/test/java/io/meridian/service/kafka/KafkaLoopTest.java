package io.meridian.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop without a Kafka: what is opened, closed and done again, and how it ends. */
@Timeout(120)
class KafkaLoopTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final KafkaLoop.Pauses SHORT = new KafkaLoop.Pauses(Duration.ofMillis(1), Duration.ofMillis(2));

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void whatever_fails_is_closed_and_begun_anew() throws Exception {
        CountDownLatch works = new CountDownLatch(1);
        try (KafkaLoop loop = loop(SHORT, PATIENCE, new KafkaLoop.Work() {
            @Override
            public void step(KafkaLoop loop) throws InterruptedException {
                switch (opened.get()) {
                    case 1 -> throw new KafkaException("away");
                    case 2 -> throw new IllegalStateException("broken");
                    default -> works.countDown();
                }
                boolean unused = loop.await(Duration.ofMillis(1));
            }
        })) {
            loop.start();
            works.await();
            assertThat(opened).hasValue(3);
            assertThat(closed).hasValue(2);
        }
        assertThat(closed).hasValue(3);
    }

    @Test
    void work_that_cannot_be_opened_now_is_opened_later() throws Exception {
        CountDownLatch works = new CountDownLatch(1);
        try (KafkaLoop loop = new KafkaLoop("test", "it waits", SHORT, PATIENCE, () -> {
            if (opened.incrementAndGet() < 4) {
                throw new KafkaException("away");
            }
            return working -> works.countDown();
        })) {
            loop.start();
            works.await();
        }
        assertThat(opened).hasValue(4);
    }

    @Test
    void a_step_that_waits_is_woken_and_the_last_thing_is_done_once() {
        CountDownLatch waits = new CountDownLatch(1);
        AtomicInteger last = new AtomicInteger();
        KafkaLoop loop = loop(SHORT, PATIENCE, new KafkaLoop.Work() {
            @Override
            public void step(KafkaLoop working) throws InterruptedException {
                waits.await();
            }

            @Override
            public void last(KafkaLoop working) {
                last.incrementAndGet();
            }

            @Override
            public void wakeup() {
                waits.countDown();
            }
        });
        loop.start();
        while (opened.get() == 0) {
            Thread.onSpinWait();
        }

        loop.close();

        assertThat(last).hasValue(1);
        assertThat(closed).hasValue(1);
    }

    @Test
    void the_last_thing_is_done_even_if_the_loop_is_closed_before_it_has_begun() {
        for (int i = 1; i <= 100; i++) {
            AtomicInteger last = new AtomicInteger();
            KafkaLoop loop = KafkaLoop.every(Duration.ofHours(1), "test", "it waits", PATIENCE, last::incrementAndGet);
            loop.start();

            loop.close();

            assertThat(last).hasValue(1);
        }
    }

    @Test
    void a_step_that_does_not_end_in_time_is_interrupted() throws Exception {
        AtomicBoolean last = new AtomicBoolean();
        CountDownLatch stepping = new CountDownLatch(1);
        KafkaLoop loop = loop(SHORT, Duration.ofMillis(1), new KafkaLoop.Work() {
            @Override
            public void step(KafkaLoop working) throws InterruptedException {
                stepping.countDown();
                new CountDownLatch(1).await();
            }

            @Override
            public void last(KafkaLoop working) {
                last.set(true);
            }
        });
        loop.start();
        stepping.await();

        loop.close();

        assertThat(loop.isOpen()).isFalse();
        while (closed.get() == 0) {
            Thread.onSpinWait();
        }
        assertThat(last).isFalse();
    }

    @Test
    void rounds_go_on_after_one_that_fails_and_end_with_the_loop() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        CountDownLatch three = new CountDownLatch(3);
        KafkaLoop loop = KafkaLoop.every(Duration.ofMillis(1), "test", "a round failed", PATIENCE, () -> {
            three.countDown();
            if (rounds.incrementAndGet() == 2) {
                throw new IllegalStateException("one fails");
            }
        });
        loop.start();
        three.await();

        loop.close();

        assertThat(rounds.get()).as("three, and the last one at the end").isGreaterThanOrEqualTo(4);
    }

    private KafkaLoop loop(KafkaLoop.Pauses pauses, Duration closeWithin, KafkaLoop.Work step) {
        return new KafkaLoop("test", "it waits", pauses, closeWithin, () -> {
            opened.incrementAndGet();
            return new KafkaLoop.Work() {
                @Override
                public void step(KafkaLoop working) throws InterruptedException {
                    step.step(working);
                }

                @Override
                public void last(KafkaLoop working) throws InterruptedException {
                    step.last(working);
                }

                @Override
                public void wakeup() {
                    step.wakeup();
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
        });
    }
}
