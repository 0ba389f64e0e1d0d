package io.meridian.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

class SyncReadinessTest {
    private long nowNanos = 1;
    private boolean placed;
    private final SyncReadiness readiness = new SyncReadiness("sync-1", () -> placed, new TimeSource() {
        @Override
        public long wallMicros() {
            throw new IllegalStateException("nobody asks");
        }

        @Override
        public long monotonicNanos() {
            return nowNanos;
        }
    });

    @Test
    void a_replica_is_not_ready_before_it_could_take_over() {
        assertThat(readiness.call().getStatus()).isEqualTo(Status.DOWN);

        placed = true;

        assertThat(readiness.call().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void one_that_was_ready_stays_so_without_kafka() {
        placed = true;
        readiness.call();
        placed = false;

        assertThat(readiness.call().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void one_that_starts_without_kafka_is_ready_after_a_while() {
        nowNanos += TimeUnit.SECONDS.toNanos(16);

        assertThat(readiness.call().getStatus()).isEqualTo(Status.UP);
    }
}
