package io.meridian.bench.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.bench.limiter.Stand.LimiterScale;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LimiterFiguresIT {
    @Test
    void a_short_run_prints_every_figure() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        LimiterFigures.run(LimiterScale.SHORT, false, new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("peer hot")
                .doesNotContain("NaN");
    }
}
