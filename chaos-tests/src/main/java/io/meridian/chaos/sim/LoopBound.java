package io.meridian.chaos.sim;

import io.meridian.limiter.decide.DecidedBy;
import io.meridian.model.usage.LimitWindow;

/**
 * I2: a region that has used a converging limit a loop ago admits nothing that those with whom it was in touch had used up by then; so what is
 * admitted above the limit came within one loop, in each part of the world for itself. And no life of a region's data admits more
 * than the limit alone, in touch or not. What an instance admits by itself, as its Redis is away, is held against neither: it is
 * charged when Redis is back, and from then on counts in both.
 */
record LoopBound(World world) {
    void check(String region, LimitWindow window, WindowAccount account, DecidedBy by) {
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
        // A region is told of a limit once it has used something of the window, in this life of its data.
        boolean told = account.charged(region, now - loop) > account.charged(region, world.rebornMicros(region));
        if (!told) {
            return;
        }
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
            throw new Violation(
                    "I2",
                    "%s admitted of %s though %d of %d were used %d ms ago"
                            .formatted(region, window, known, limit, loop / 1_000));
        }
    }
}
