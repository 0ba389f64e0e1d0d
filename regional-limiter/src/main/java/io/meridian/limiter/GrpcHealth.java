package io.meridian.limiter;

import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.meridian.limiter.envoy.v3.RateLimitServiceGrpc;
import io.quarkus.grpc.runtime.health.GrpcHealthStorage;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** gRPC health of a stopping limiter: not serving from the beginning of its delay, as readiness over HTTP says it. */
@Singleton
class GrpcHealth {
    private final GrpcHealthStorage storage;

    GrpcHealth(GrpcHealthStorage storage) {
        this.storage = storage;
    }

    void leave(@Observes ShutdownDelayInitiatedEvent event) {
        storage.setStatus(GrpcHealthStorage.DEFAULT_SERVICE_NAME, ServingStatus.NOT_SERVING);
        storage.setStatus(RateLimitServiceGrpc.SERVICE_NAME, ServingStatus.NOT_SERVING);
    }
}
