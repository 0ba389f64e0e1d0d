package io.meridian.drill.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.sample.SampleDrill;
import io.meridian.testkit.TestAmounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelinePageTest {
    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);
    /** Whatever a browser would fetch. The name of SVG is an address that nobody asks. */
    private static final Pattern FETCHED = Pattern.compile(
            "(?i)\\b(?:src|href)\\s*=|@import|url\\((?!#)|https?://(?!www\\.w3\\.org/2000/svg)|\\bfetch\\(|XMLHttp|import\\(");

    private final Path folder;

    TimelinePageTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void nothing_is_fetched_from_anywhere() throws IOException {
        assertThat(FETCHED.matcher(page(new SampleDrill().history())).find()).isFalse();
    }

    @Test
    void the_verdict_stands_in_the_page_as_text() throws IOException {
        assertThat(page(new SampleDrill().history())).contains("<h1>Passed: One region is cut off from the world</h1>");
        assertThat(page(PageMaker.unknown())).contains("<h1>Not proven: ");
    }

    @Test
    void markup_in_names_is_text_and_ends_no_script() throws IOException {
        String page = page(PageMaker.violated());

        assertThat(page).contains("&lt;/script&gt;&lt;b&gt;ap-south").doesNotContain("<b>ap-south");
        assertThat(page.split("</script>", -1)).hasSize(3);
    }

    @Test
    void what_is_put_in_is_not_taken_for_a_place() throws IOException {
        DrillHistory history =
                new SampleDrill().named("{{data}}", "$1 {{sentence}} \\").history();

        assertThat(page(history)).contains("<h1>Passed: $1 {{sentence}} \\</h1>");
    }

    @Test
    void the_data_of_the_page_is_json_and_adds_up() throws IOException {
        Matcher found = DATA.matcher(page(new SampleDrill().history()));
        assertThat(found.find()).isTrue();
        JsonNode data = new ObjectMapper().readTree(found.group(1));

        assertThat(data.path("policies")).hasSize(3);
        long allowed = 0;
        for (JsonNode count : data.at("/policies/0/rates/us-east/allowed")) {
            allowed += count.asLong();
        }
        long admitted = 0;
        for (JsonNode window : data.at("/policies/0/windows")) {
            admitted += window.at("/by_region/us-east").asLong();
        }
        assertThat(allowed).isEqualTo(admitted).isPositive();
    }

    @Test
    void a_browser_draws_every_chart_and_complains_of_nothing() throws Exception {
        Optional<Browser> browser = Browser.installed();
        if (browser.isEmpty()) {
            System.out.println("[page] SKIPPED: no chromium is installed, so nobody looked at the page");
        }
        assumeTrue(browser.isPresent(), "no chromium is installed");
        List<DrillHistory> histories = List.of(
                PageMaker.violated(),
                new SampleDrill().without(event -> true).history(),
                new SampleDrill().history(),
                PageMaker.unknown(),
                PageMaker.starved());
        // All kinds of marks, and none at all; the others have some of them.
        for (DrillHistory history : histories.subList(0, TestAmounts.of(2, histories.size()))) {
            PageMaker.write(folder, history);
            Browser.Seen seen = browser.orElseThrow().open(folder.resolve(DrillReport.PAGE));

            assertThat(seen.complaints()).isEmpty();
            assertThat(seen.dom())
                    .containsPattern("<html[^>]* data-drawn=\"[78]\"")
                    .contains("class=\"sentence\"");
        }
    }

    @Test
    void a_page_whose_script_fails_would_be_found() throws Exception {
        Optional<Browser> browser = Browser.installed();
        assumeTrue(browser.isPresent(), "no chromium is installed");
        Path page = Files.writeString(folder.resolve("broken.html"), "<script>nothing.here()</script>");

        assertThat(browser.orElseThrow().open(page).complaints()).isNotEmpty();
    }

    private String page(DrillHistory history) throws IOException {
        PageMaker.write(folder, history);
        return Files.readString(folder.resolve(DrillReport.PAGE));
    }
}
