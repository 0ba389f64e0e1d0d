package io.meridian.limiter.api;

import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.LoadReport;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Fakes for tests of other things, as long as the limiter has no beans of its own for these ports. */
class FakeByDefault {
    @Produces
    @DefaultBean
    @Singleton
    Limiter limiter() {
        return new FakeLimiter();
    }

    @Produces
    @DefaultBean
    @Singleton
    LoadReport load() {
        return new FakeLimiter();
    }
}
