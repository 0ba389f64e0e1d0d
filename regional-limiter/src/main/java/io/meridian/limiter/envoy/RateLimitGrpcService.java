package io.meridian.limiter.envoy;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.meridian.limiter.caller.AccessTokens;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.envoy.RequestMarshaller.Message;
import io.meridian.limiter.envoy.v3.RateLimitRequest;
import io.meridian.limiter.envoy.v3.RateLimitResponse;
import io.meridian.limiter.envoy.v3.RateLimitServiceGrpc;
import io.quarkus.grpc.GrpcService;

/**
 * Envoy's {@code envoy.service.ratelimit.v3.RateLimitService}. Bound to its calls directly and not by the generated stubs, which would hide
 * a caller's token and the time that the call has.
 */
@GrpcService
class RateLimitGrpcService implements BindableService {
    private final Limiter limiter;
    private final AccessTokens tokens;
    private final RateLimitResponses responses;

    RateLimitGrpcService(Limiter limiter, AccessTokens tokens, RateLimitResponses responses) {
        this.limiter = limiter;
        this.tokens = tokens;
        this.responses = responses;
    }

    @Override
    public ServerServiceDefinition bindService() {
        MethodDescriptor<RateLimitRequest, RateLimitResponse> generated =
                RateLimitServiceGrpc.getShouldRateLimitMethod();
        MethodDescriptor<Message, RateLimitResponse> method = generated.toBuilder(
                        new RequestMarshaller(), generated.getResponseMarshaller())
                .build();
        ServiceDescriptor service = ServiceDescriptor.newBuilder(RateLimitServiceGrpc.SERVICE_NAME)
                .setSchemaDescriptor(RateLimitServiceGrpc.getServiceDescriptor().getSchemaDescriptor())
                .addMethod(method)
                .build();
        return ServerServiceDefinition.builder(service)
                .addMethod(method, (call, metadata) -> RateLimitCall.start(call, metadata, limiter, tokens, responses))
                .build();
    }
}
