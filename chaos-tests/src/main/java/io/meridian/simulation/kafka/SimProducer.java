package io.meridian.chaos.sim;

import io.meridian.limiter.usage.UsageSink;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Kafka's producer: tries again until it is acknowledged or out of time, and is in the log once, or twice if that is told. */
final class SimProducer implements UsageSink {
    private static final long DELIVERY_MICROS = 3_000_000;
    private static final long RETRY_MICROS = 400_000;

    private final Schedule schedule;
    private final SimKafka kafka;
    private final Link link;
    private final SplittableRandom random;
    private final Broken broken;
    private final BooleanSupplier dead;

    /** @param dead whether the limiter that it belongs to is */
    SimProducer(
            Schedule schedule,
            SimKafka kafka,
            Link link,
            SplittableRandom random,
            Broken broken,
            BooleanSupplier dead) {
        this.schedule = schedule;
        this.kafka = kafka;
        this.link = link;
        this.random = random;
        this.broken = broken;
        this.dead = dead;
    }

    private static final class Batch {
        final Runnable write;
        final CompletableFuture<Void> acknowledged = new CompletableFuture<>();
        boolean written;

        Batch(Runnable write) {
            this.write = write;
        }
    }

    @Override
    public CompletionStage<Void> write(List<UsageRecord> records) {
        if (broken == Broken.NO_ACKNOWLEDGEMENT && random.nextInt(4) == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return send(() -> records.forEach(kafka::append));
    }

    @Override
    public CompletionStage<Void> announce(RegionAnnouncement announcement) {
        if (broken == Broken.NO_ANNOUNCEMENT) {
            return CompletableFuture.completedFuture(null);
        }
        return send(() -> kafka.append(announcement));
    }

    private CompletionStage<Void> send(Runnable write) {
        Batch batch = new Batch(write);
        send(batch, schedule.nowMicros() + DELIVERY_MICROS);
        schedule.after(DELIVERY_MICROS, () -> {
            if (!dead.getAsBoolean()) {
                boolean unused =
                        batch.acknowledged.completeExceptionally(new IllegalStateException("no answer in time"));
            }
        });
        return batch.acknowledged;
    }

    private void send(Batch batch, long untilMicros) {
        if (dead.getAsBoolean() || batch.acknowledged.isDone() || schedule.nowMicros() >= untilMicros) {
            return;
        }
        link.toOnceOrTwice(() -> {
            if (kafka.isUp()) {
                boolean again = batch.written && !link.isDoubling();
                if (!again) {
                    batch.written = true;
                    batch.write.run();
                }
                link.from(() -> acknowledge(batch));
            }
        });
        schedule.after(RETRY_MICROS, () -> send(batch, untilMicros));
    }

    @SuppressWarnings("NullAway") // What a Void is.
    private void acknowledge(Batch batch) {
        if (!dead.getAsBoolean()) {
            batch.acknowledged.complete(null);
        }
    }
}
