package io.meridian.chaos.sim;

import java.util.SplittableRandom;

/** The way between one machine and Kafka. Each direction may be cut, and every message is delayed or lost, and some come twice. */
final class Link {
    private final Schedule schedule;
    private final SplittableRandom random;
    private long delayMinMicros;
    private long delayMaxMicros;
    private double loss;
    private double twice;
    private boolean toUp = true;
    private boolean fromUp = true;
    private long troubledMicros;

    Link(Schedule schedule, SplittableRandom random, long delayMinMicros, long delayMaxMicros) {
        this.schedule = schedule;
        this.random = random;
        delay(delayMinMicros, delayMaxMicros);
        troubledMicros = schedule.nowMicros();
    }

    void delay(long minMicros, long maxMicros) {
        delayMinMicros = minMicros;
        delayMaxMicros = Math.max(minMicros, maxMicros);
        troubledMicros = schedule.nowMicros();
    }

    long delayMaxMicros() {
        return delayMaxMicros;
    }

    void lossy(double lost, double doubled) {
        loss = lost;
        twice = doubled;
        troubledMicros = schedule.nowMicros();
    }

    void cut(boolean to, boolean from) {
        toUp = !to;
        fromUp = !from;
        troubledMicros = schedule.nowMicros();
    }

    /** Whether what comes twice is taken twice. */
    boolean isDoubling() {
        return twice > 0;
    }

    boolean isCut() {
        return !toUp || !fromUp;
    }

    /** When anything was last wrong with it. */
    long troubledMicros() {
        return isCut() || loss > 0 ? schedule.nowMicros() : troubledMicros;
    }

    /** Towards Kafka. */
    void to(Runnable arrival) {
        send(toUp, arrival);
    }

    /** Towards Kafka, what may come twice: who sends it does not know whether it came. */
    void toOnceOrTwice(Runnable arrival) {
        send(toUp, arrival);
        if (twice > 0 && random.nextDouble() < twice) {
            send(toUp, arrival);
        }
    }

    /** From Kafka. */
    void from(Runnable arrival) {
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
