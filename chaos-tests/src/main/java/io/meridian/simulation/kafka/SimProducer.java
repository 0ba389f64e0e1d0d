package io.meridian.simulation.kafka;

import io.meridian.limiter.global.UsageSink;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.world.SimLink;
import io.meridian.simulation.world.SimSchedule;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Kafka producer that retries until the acknowledgement or its delivery timeout. A batch is in the log once, or twice on a duplicating link. */
public final class SimProducer implements UsageSink {
    private static final long DELIVERY_MICROS = 3_000_000;
    private static final long RETRY_MICROS = 400_000;

    private final SimSchedule schedule;
    private final SimKafka kafka;
    private final SimLink link;
    private final SplittableRandom random;
    private final Mutation mutation;
    private final BooleanSupplier dead;

    /** @param dead whether its limiter was killed */
    public SimProducer(
            SimSchedule schedule,
            SimKafka kafka,
            SimLink link,
            SplittableRandom random,
            Mutation mutation,
            BooleanSupplier dead) {
        this.schedule = schedule;
        this.kafka = kafka;
        this.link = link;
        this.random = random;
        this.mutation = mutation;
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
        if (mutation == Mutation.NO_ACKNOWLEDGEMENT && random.nextInt(4) == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return send(() -> records.forEach(kafka::append));
    }

    @Override
    public CompletionStage<Void> announce(RegionAnnouncement announcement) {
        if (mutation == Mutation.NO_ANNOUNCEMENT) {
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

    @SuppressWarnings("NullAway") // A Void is null.
    private void acknowledge(Batch batch) {
        if (!dead.getAsBoolean()) {
            batch.acknowledged.complete(null);
        }
    }
}
