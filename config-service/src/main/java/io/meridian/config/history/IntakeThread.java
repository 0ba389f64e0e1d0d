package io.meridian.config.history;

import io.meridian.config.database.DatabaseUnavailableException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Takes in for ever, on a thread of its own: whatever is away is waited for, and what has not changed is told once. */
final class IntakeThread implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(IntakeThread.class);
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    /** Who lost a turn leaves the work to the one who won it, and looks again whether that one still does it. */
    private static final Duration STAND_BY = Duration.ofSeconds(2);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(7);

    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final Function<Consumer<byte[], byte[]>, Intake> intakes;
    private final Thread thread = new Thread(this::run, "history-intake");
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Consumer<byte[], byte[]> consumer;
    private Duration pause = PAUSE_MIN;
    private String told = "";

    IntakeThread(Supplier<Consumer<byte[], byte[]>> consumers, Function<Consumer<byte[], byte[]>, Intake> intakes) {
        this.consumers = consumers;
        this.intakes = intakes;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (isOpen()) {
            try (Consumer<byte[], byte[]> own = consumers.get()) {
                consumer = own;
                Intake intake = intakes.apply(own);
                while (isOpen()) {
                    step(intake);
                }
            } catch (WakeupException | InterruptException ending) {
                LOG.debug("the intake of history ends");
            } catch (KafkaException away) {
                pause("Kafka cannot be read: reason=" + away);
            } catch (RuntimeException unexpected) {
                LOG.error("the intake of history begins anew", unexpected);
                pause("it failed: reason=" + unexpected);
            }
        }
    }

    private void step(Intake intake) {
        try {
            switch (intake.step()) {
                case IDLE, TAKEN -> {
                    pause = PAUSE_MIN;
                    told = "";
                }
                case LOST -> await(STAND_BY);
                case NO_TOPIC -> pause("there is no topic of usage or violations");
            }
        } catch (DatabaseUnavailableException away) {
            pause("PostgreSQL is away: reason=" + away.getMessage());
        }
    }

    /** Waits a little longer each time. */
    private void pause(String reason) {
        if (isOpen() && !told.equals(reason)) {
            told = reason;
            LOG.warnf("the history waits, Kafka keeps what is new: %s", reason);
        }
        await(pause);
        pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
    }

    private void await(Duration duration) {
        try {
            boolean unused = closed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            closed.countDown();
        }
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    @Override
    public void close() {
        closed.countDown();
        Consumer<byte[], byte[]> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
