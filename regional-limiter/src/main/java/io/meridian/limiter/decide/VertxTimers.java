package io.meridian.limiter.decide;

import io.meridian.limiter.region.Ports.Timers;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;

/** Timers of the event loop. */
@Singleton
class VertxTimers implements Timers {
    private final Vertx vertx;

    VertxTimers(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public void after(long millis, Runnable task) {
        vertx.setTimer(millis, due -> task.run());
    }
}
