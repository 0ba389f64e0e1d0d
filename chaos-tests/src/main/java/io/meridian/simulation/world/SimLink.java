package io.meridian.simulation.world;

import java.util.SplittableRandom;

/** Link between one machine and Kafka. Each direction may be cut, and messages are delayed, lost or duplicated. */
public final class SimLink {
    private final SimSchedule schedule;
    private final SplittableRandom random;
    private long delayMinMicros;
    private long delayMaxMicros;
    private double loss;
    private double twice;
    private boolean toUp = true;
    private boolean fromUp = true;
    private long disturbedMicros;

    public SimLink(SimSchedule schedule, SplittableRandom random, long delayMinMicros, long delayMaxMicros) {
        this.schedule = schedule;
        this.random = random;
        delay(delayMinMicros, delayMaxMicros);
        disturbedMicros = schedule.nowMicros();
    }

    public void delay(long minMicros, long maxMicros) {
        delayMinMicros = minMicros;
        delayMaxMicros = Math.max(minMicros, maxMicros);
        disturbedMicros = schedule.nowMicros();
    }

    long delayMaxMicros() {
        return delayMaxMicros;
    }

    void lossy(double lost, double doubled) {
        loss = lost;
        twice = doubled;
        disturbedMicros = schedule.nowMicros();
    }

    void cut(boolean to, boolean from) {
        toUp = !to;
        fromUp = !from;
        disturbedMicros = schedule.nowMicros();
    }

    /** Whether a duplicated message is processed twice. */
    public boolean isDoubling() {
        return twice > 0;
    }

    public boolean isCut() {
        return !toUp || !fromUp;
    }

    /** Time of its last disturbance. */
    public long disturbedMicros() {
        return isCut() || loss > 0 ? schedule.nowMicros() : disturbedMicros;
    }

    /** Sends to Kafka. */
    public void to(Runnable arrival) {
        send(toUp, arrival);
    }

    /** Sends to Kafka, possibly twice, as a sender that does not know whether a message arrived. */
    public void toOnceOrTwice(Runnable arrival) {
        send(toUp, arrival);
        if (twice > 0 && random.nextDouble() < twice) {
            send(toUp, arrival);
        }
    }

    /** Sends from Kafka. */
    public void from(Runnable arrival) {
        send(fromUp, arrival);
    }

    private void send(boolean up, Runnable arrival) {
        if (!up || (loss > 0 && random.nextDouble() < loss)) {
            return;
        }
        schedule.after(delay(), arrival);
    }

    private long delay() {
        return delayMaxMicros == delayMinMicros ? delayMinMicros : random.nextLong(delayMinMicros, delayMaxMicros);
    }
}
