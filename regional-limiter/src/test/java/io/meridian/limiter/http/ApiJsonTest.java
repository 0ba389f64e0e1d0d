package io.meridian.limiter.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ApiJsonTest {
    @Test
    void documents_of_one_thread_have_nothing_of_each_other() {
        assertThat(text(json -> json.writeString("a"))).isEqualTo("\"a\"");
        assertThat(text(ApiJsonTest::large)).hasSize(40_002);
        assertThat(text(json -> json.writeString("b"))).isEqualTo("\"b\"");
    }

    @Test
    void a_document_that_fails_leaves_nothing_to_the_next() {
        assertThatThrownBy(() -> ApiJson.write(json -> {
                    json.writeStartObject();
                    json.writeFieldName("half");
                    throw new IllegalStateException("no value");
                }))
                .hasMessage("no value");

        assertThat(text(json -> json.writeString("whole"))).isEqualTo("\"whole\"");
    }

    private static void large(JsonGenerator json) throws IOException {
        json.writeString("x".repeat(40_000));
    }

    private static String text(ApiJson.Document document) {
        return new String(ApiJson.write(document), StandardCharsets.UTF_8);
    }
}
