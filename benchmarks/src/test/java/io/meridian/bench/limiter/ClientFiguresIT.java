package io.meridian.bench.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ClientFiguresIT {
    @Test
    void a_short_run_prints_every_figure() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        ClientFigures.run(true, new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("leased, one key", "remote, one key", "calls per check")
                .doesNotContain("NaN");
    }
}
