package io.meridian.simulation.kafka;

import io.meridian.simulation.world.SimLink;
import io.meridian.simulation.world.SimSchedule;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Fetch loop over a link: one request at a time, which Kafka answers as soon as there are records, or after the maximum wait. */
public final class SimFetch {
    /** Timeout of a request, after which the next one is sent. */
    private static final long LOST_MICROS = 1_500_000;

    private final SimSchedule schedule;
    private final SimKafka kafka;
    private final SimLink link;
    private final Supplier<List<Runnable>> found;
    private final Consumer<Runnable> reader;
    private boolean waiting;
    private int questions;

    /**
     * @param found the available records, as their effects on the reader
     * @param reader runs them when the reader is running
     */
    public SimFetch(
            SimSchedule schedule,
            SimKafka kafka,
            SimLink link,
            Supplier<List<Runnable>> found,
            Consumer<Runnable> reader) {
        this.schedule = schedule;
        this.kafka = kafka;
        this.link = link;
        this.found = found;
        this.reader = reader;
    }

    /** Sends a request, unless one is in flight. */
    public void poll() {
        if (waiting) {
            return;
        }
        waiting = true;
        int own = ++questions;
        schedule.after(LOST_MICROS, () -> waiting &= own != questions);
        link.to(() -> arrive(found.get()));
    }

    private void arrive(List<Runnable> batch) {
        if (!batch.isEmpty()) {
            answer(batch);
        } else {
            kafka.await(() -> answer(found.get()));
        }
    }

    private void answer(List<Runnable> batch) {
        if (kafka.isUp()) {
            link.from(() -> reader.accept(() -> {
                waiting = false;
                batch.forEach(Runnable::run);
            }));
        }
    }
}
