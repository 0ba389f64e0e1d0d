package io.meridian.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestTest {
    private final Request request =
            Request.post("/check", "{\"a\":\"u" + Request.KEY + "\",\"b\":\"" + Request.KEY + "\"}");

    @Test
    void the_key_stands_wherever_the_body_has_a_place_for_it() {
        assertThat(written(42)).endsWith("\r\nContent-Length: 36\r\n\r\n{\"a\":\"u0000000042\",\"b\":\"0000000042\"}");
    }

    @Test
    void one_sending_leaves_nothing_in_the_next() {
        assertThat(written(9_999_999_999L)).endsWith("{\"a\":\"u9999999999\",\"b\":\"9999999999\"}");
        assertThat(written(1)).endsWith("{\"a\":\"u0000000001\",\"b\":\"0000000001\"}");
    }

    private String written(long key) {
        ByteBuffer buffer = ByteBuffer.allocate(512);
        request.write(key, buffer);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
    }
}
