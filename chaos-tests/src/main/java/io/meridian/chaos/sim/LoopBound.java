package io.meridian.chaos.sim;

import io.meridian.limiter.decide.DecidedBy;
import io.meridian.model.usage.LimitWindow;

/**
 * I2 and I8: a region admits nothing of a converging limit that those with whom it was in touch had used up a loop ago, whether it has used
 * the limit before (I2) or not (I8); so what is admitted above the limit came within one loop, in each part of the world for itself. And no life of a region's data admits more
 * than the limit alone, in touch or not. What an instance admits by itself, as its Redis is away, is held against neither: it is
 * charged when Redis is back, and from then on counts in both.
 */
record LoopBound(World world) {
    void check(String region, LimitWindow window, AdmittedUsage account, DecidedBy by) {
        long now = world.nowMicros();
        long limit = account.highestLimit();
        if (by == DecidedBy.FALLBACK) {
            return;
        }
        long lives = world.witness
                .lives(region)
                .using(window, world.region(region).redis.data());
        if (account.charged(region) > limit * Math.max(1, lives)) {
            throw new Violation(
                    "I2",
                    "%s alone admitted %d of %d in %s, in %d lives"
                            .formatted(region, account.charged(region), limit, window, lives));
        }
        long loop = world.loopMicros();
        if (now - world.troubledMicros(region) < loop || now - world.centreTroubledMicros() < loop) {
            return;
        }
        long known = 0;
        for (SimRegion each : world.regions()) {
            if (now - world.troubledMicros(each.name) >= loop) {
                known += account.of(each.name, now - loop);
            }
        }
        if (known >= limit) {
            boolean met = account.charged(region, now - loop) > account.charged(region, world.rebornMicros(region));
            throw new Violation(
                    met ? "I2" : "I8",
                    "%s admitted of %s though %d of %d were used %d ms ago"
                            .formatted(region, window, known, limit, loop / 1_000));
        }
    }
}
