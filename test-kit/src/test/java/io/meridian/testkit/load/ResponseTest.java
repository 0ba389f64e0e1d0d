package io.meridian.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.testkit.load.KeptConnection.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResponseTest {
    private static final String WHOLE =
            "HTTP/1.1 429 Too Many Requests\r\nX-Content-Length: 7\r\nContent-Length: 12\r\nA: b\r\n\r\n{\"a\":\"\r\n\r\n\"}";

    @Test
    void a_response_counts_once_it_is_whole_wherever_it_was_cut() {
        for (int length = 0; length < WHOLE.length(); length++) {
            assertThat(status(WHOLE.substring(0, length))).isEqualTo(Response.INCOMPLETE);
        }
        assertThat(status(WHOLE)).isEqualTo(429);
    }

    @Test
    void names_of_headers_are_read_in_any_case() {
        assertThat(status("HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n")).isEqualTo(200);
    }

    @Test
    void what_cannot_be_counted_is_an_error() {
        assertThatThrownBy(() -> status(WHOLE + "H")).hasMessageContaining("longer than it says");
        assertThatThrownBy(() -> status("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"))
                .hasMessageContaining("does not say its length");
    }

    private static int status(String text) {
        ByteBuffer received = ByteBuffer.allocate(512);
        received.put(text.getBytes(StandardCharsets.US_ASCII));
        return Response.status(received);
    }
}
