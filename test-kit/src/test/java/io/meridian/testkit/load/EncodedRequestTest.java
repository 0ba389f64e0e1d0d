package io.meridian.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EncodedRequestTest {
    private final EncodedRequest request = EncodedRequest.post(
            URI.create("http://127.0.0.1:1/check"),
            "{\"a\":\"u" + EncodedRequest.KEY + "\",\"b\":\"" + EncodedRequest.KEY + "\"}");

    @Test
    void the_key_stands_wherever_the_body_has_a_place_for_it() {
        assertThat(written(42)).endsWith("\r\nContent-Length: 36\r\n\r\n{\"a\":\"u0000000042\",\"b\":\"0000000042\"}");
    }

    @Test
    void one_sending_leaves_nothing_in_the_next() {
        assertThat(written(9_999_999_999L)).endsWith("{\"a\":\"u9999999999\",\"b\":\"9999999999\"}");
        assertThat(written(1)).endsWith("{\"a\":\"u0000000001\",\"b\":\"0000000001\"}");
    }

    @Test
    void a_query_goes_along() {
        EncodedRequest get = EncodedRequest.get(URI.create("http://127.0.0.1:1/status?user_id=7"));
        ByteBuffer buffer = ByteBuffer.allocate(512);
        get.write(0, buffer);
        assertThat(new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII))
                .isEqualTo("GET /status?user_id=7 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private String written(long key) {
        ByteBuffer buffer = ByteBuffer.allocate(512);
        request.write(key, buffer);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
    }
}
