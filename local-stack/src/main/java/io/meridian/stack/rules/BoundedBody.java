package io.meridian.stack.rules;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes the body of an answer up to a bound, and no more of it. */
final class BoundedBody implements BodySubscriber<byte[]> {
    private final int bytesMax;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Flow.Subscription subscription = NONE;

    private static final Flow.Subscription NONE = new Flow.Subscription() {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    };

    BoundedBody(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer.remaining() > bytesMax - bytes.size()) {
                subscription.cancel();
                body.completeExceptionally(new IOException("it has more than " + bytesMax + " bytes"));
                return;
            }
            byte[] part = new byte[buffer.remaining()];
            buffer.get(part);
            bytes.writeBytes(part);
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }
}
