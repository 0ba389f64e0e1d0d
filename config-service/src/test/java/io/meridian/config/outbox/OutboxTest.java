package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OutboxServers.class)
@Timeout(900)
class OutboxTest {
    private final OutboxStand stand;

    OutboxTest(OutboxStand stand) {
        this.stand = stand;
    }

    @Test
    void it_says_how_much_waits_and_for_how_long_until_kafka_was_told() {
        Outbox outbox = stand.outbox();
        assertThat(outbox.backlog()).isEqualTo(new Outbox.Backlog(0, 0));

        stand.change(2);
        stand.database()
                .read(session -> session.run("UPDATE outbox SET since = since - interval '1 hour' WHERE position = 1"));
        stand.change(1);

        Outbox.Backlog backlog = outbox.backlog();
        assertThat(backlog.records()).isEqualTo(3);
        assertThat(Duration.of(backlog.oldestMicros(), TimeUnit.MICROSECONDS.toChronoUnit()))
                .isBetween(Duration.ofHours(1), Duration.ofHours(2));

        stand.publishAll();
        assertThat(outbox.backlog()).isEqualTo(new Outbox.Backlog(0, 0));
    }
}
