package io.meridian.drill.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.drill.checks.DrillVerdict;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrillPublicationTest {
    private final Path folder;

    DrillPublicationTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void a_publication_has_the_verdict_the_promises_the_journal_and_the_page_of_the_report() throws Exception {
        DrillVerdict verdict = PageMaker.write(folder, PageMaker.violated());

        ObjectNode drill = DrillPublication.of(folder, "the running stack");

        assertThat(drill.path("drill").asText()).isEqualTo("kill-redis");
        assertThat(drill.path("title").asText()).contains("</script><b>ap-south</b>");
        assertThat(drill.path("target").asText()).isEqualTo("the running stack");
        assertThat(drill.path("started_at").asText()).endsWith("Z");
        assertThat(drill.path("ended_at").asText()).isEqualTo("2026-01-15T10:01:00Z");
        assertThat(drill.path("verdict").asText()).isEqualTo("broken");
        assertThat(drill.path("sentence").asText()).isEqualTo(verdict.sentence());
        assertThat(drill.path("promises")).hasSize(verdict.findings().size());
        assertThat(drill.path("promises").findValuesAsText("verdict")).contains("broken", "held");
        assertThat(drill.path("journal").path("status").asText()).isEqualTo("completed");
        assertThat(drill.path("report").asText()).isEqualTo(Files.readString(folder.resolve(DrillReport.PAGE)));
    }

    @Test
    void a_page_beyond_the_bound_is_left_out_and_the_verdict_is_not() throws Exception {
        PageMaker.write(folder, PageMaker.unknown());
        Files.writeString(folder.resolve(DrillReport.PAGE), "x".repeat((8 << 20) + 1));

        JsonNode drill = DrillPublication.of(folder, "x\ny" + "z".repeat(300));

        assertThat(drill.has("report")).isFalse();
        assertThat(drill.path("verdict").asText()).isEqualTo("unknown");
        assertThat(drill.path("target").asText()).startsWith("x y").hasSize(256);
    }
}
