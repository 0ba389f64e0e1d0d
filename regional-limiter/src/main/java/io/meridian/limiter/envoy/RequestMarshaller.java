package io.meridian.limiter.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.MethodDescriptor.Marshaller;
import io.meridian.limiter.envoy.RequestMarshaller.Message;
import io.meridian.limiter.envoy.v3.RateLimitRequest;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Marshaller of requests that never fails: a message that cannot be parsed becomes one without a request. The server of the framework
 * would leave a call unanswered whose message the marshaller throws at.
 */
final class RequestMarshaller implements Marshaller<Message> {
    /** Message of a call; the request is null if the bytes are none. */
    record Message(@Nullable RateLimitRequest request) {
        private static final Message MALFORMED = new Message(null);
    }

    @Override
    public Message parse(InputStream bytes) {
        try {
            return new Message(RateLimitRequest.parseFrom(bytes));
        } catch (InvalidProtocolBufferException malformed) {
            return Message.MALFORMED;
        } catch (IOException unread) {
            return Message.MALFORMED;
        }
    }

    @Override
    public InputStream stream(Message message) {
        throw new UnsupportedOperationException("a server sends no requests");
    }
}
