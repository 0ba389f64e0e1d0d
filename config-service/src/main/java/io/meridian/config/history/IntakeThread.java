package io.meridian.config.history;

import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.service.kafka.KafkaLoop;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;

/** Thread of the intake of history: whatever is away is waited for. */
final class IntakeThread implements AutoCloseable {
    private static final KafkaLoop.Pauses PAUSES = new KafkaLoop.Pauses(Duration.ofMillis(100), Duration.ofSeconds(5));
    /** Pause after another instance won the turn, before this one checks whether the winner still works. */
    private static final Duration STAND_BY = Duration.ofSeconds(2);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(7);

    private final KafkaLoop loop;

    IntakeThread(Supplier<Consumer<byte[], byte[]>> consumers, Function<Consumer<byte[], byte[]>, Intake> intakes) {
        this.loop = new KafkaLoop(
                "history-intake",
                "the history waits, Kafka keeps what is new",
                PAUSES,
                CLOSE_TIMEOUT,
                () -> new Steps(consumers.get(), intakes));
    }

    void start() {
        loop.start();
    }

    @Override
    public void close() {
        loop.close();
    }

    private static final class Steps implements KafkaLoop.Work {
        private final Consumer<byte[], byte[]> consumer;
        private final Intake intake;

        Steps(Consumer<byte[], byte[]> consumer, Function<Consumer<byte[], byte[]>, Intake> intakes) {
            this.consumer = consumer;
            this.intake = intakes.apply(consumer);
        }

        @Override
        public void step(KafkaLoop loop) throws InterruptedException {
            try {
                switch (intake.step()) {
                    case IDLE, TAKEN -> loop.succeeded();
                    case LOST -> {
                        boolean unused = loop.await(STAND_BY);
                    }
                    case NO_TOPIC -> loop.retry("there is no topic of usage or violations");
                }
            } catch (DatabaseUnavailableException unavailable) {
                loop.retry("PostgreSQL is away: " + unavailable.getMessage());
            }
        }

        @Override
        public void wakeup() {
            consumer.wakeup();
        }

        @Override
        public void close() {
            consumer.close();
        }
    }
}
