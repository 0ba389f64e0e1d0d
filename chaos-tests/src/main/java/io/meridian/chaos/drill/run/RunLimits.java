package io.meridian.chaos.drill.run;

import java.time.Duration;

/**
 * Bounds of what a run waits for before it gives up, and how often it looks.
 *
 * @param warmWithin for the world to be well before anything is done to it
 * @param warmAnswers of every region, all decided with its Redis, until it counts as warm
 * @param answeredWithin for the last answers, when the load is over
 * @param probeWithin for what a probe looks at: a single late answer is no broken region
 * @param leadersEvery between two looks at who leads
 */
record RunLimits(
        Duration warmWithin, int warmAnswers, Duration answeredWithin, Duration probeWithin, Duration leadersEvery) {
    static final RunLimits USUAL = new RunLimits(
            Duration.ofSeconds(90), 100, Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofMillis(250));
}
