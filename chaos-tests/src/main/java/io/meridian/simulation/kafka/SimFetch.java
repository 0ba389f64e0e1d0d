package io.meridian.chaos.sim;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** How one reads from Kafka over a link: a question at a time, which Kafka answers as soon as there is something, or after a while. */
final class SimFetch {
    /** An answer that has not come by then is lost, and one may ask again. */
    private static final long LOST_MICROS = 1_500_000;

    private final Schedule schedule;
    private final SimKafka kafka;
    private final Link link;
    private final Supplier<List<Runnable>> found;
    private final Consumer<Runnable> reader;
    private boolean waiting;
    private int questions;

    /**
     * @param found what there is to read by now, as what it does to the reader
     * @param reader has it done when the reader is there to do it
     */
    SimFetch(Schedule schedule, SimKafka kafka, Link link, Supplier<List<Runnable>> found, Consumer<Runnable> reader) {
        this.schedule = schedule;
        this.kafka = kafka;
        this.link = link;
        this.found = found;
        this.reader = reader;
    }

    /** Asks, unless an answer is waited for. */
    void poll() {
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
