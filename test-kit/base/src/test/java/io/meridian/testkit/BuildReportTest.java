package io.meridian.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildReportTest {
    private static final Instant BEGAN = Instant.parse("2026-01-31T12:00:00Z");

    private final Path root;

    BuildReportTest(@TempDir Path root) {
        this.root = root;
    }

    @Test
    void tests_skips_seeds_and_jvms_of_this_build_are_added_up() throws Exception {
        suite("core/target/surefire-reports/TEST-a.FirstTest.xml", "a.FirstTest", 3, 1, 2.5, BEGAN);
        suite("core/target/failsafe-reports/TEST-a.SecondIT.xml", "a.SecondIT", 4, 0, 1_234.5, BEGAN.plusSeconds(9));
        suite("core/target/surefire-reports/TEST-a.GoneTest.xml", "a.GoneTest", 100, 0, 50, BEGAN.minusSeconds(1));
        write("core/target/test-record/1.record", "jvms=3\nseeds=500\nfirst=20260131000000\n", BEGAN);
        write("kit/other/target/test-record/2.record", "jvms=1\nseeds=0\nfirst=20260131000000\n", BEGAN);

        String table = table();

        assertThat(table)
                .containsPattern("core +7 +0 +1 +1,237 +500 +3 +20260131000000")
                .containsPattern("kit/other +0 +0 +0 +0 +0 +1")
                .containsPattern("all +7 +0 +1 +1,237 +500 +4")
                .contains("1  core: no docker here")
                .containsPattern("(?s)1234.5 s  core SecondIT.*2.5 s  core FirstTest")
                .doesNotContain("GoneTest");
    }

    @Test
    void a_failed_assumption_gives_its_reason() throws Exception {
        write("core/target/failsafe-reports/TEST-a.SkippedIT.xml", """
                <testsuite name="a.SkippedIT" time="0" tests="1" errors="0" skipped="1" failures="0"><testcase name="t">
                <skipped type="T"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: no terraform
                \tat a.B.c(B.java:1)]]></skipped></testcase></testsuite>
                """, BEGAN);

        assertThat(table()).contains("1  core: Assumption failed: no terraform\n");
    }

    @Test
    void a_build_without_skipped_tests_says_so() throws Exception {
        suite("core/target/surefire-reports/TEST-a.FirstTest.xml", "a.FirstTest", 3, 0, 2.5, BEGAN);

        assertThat(table()).contains("Skipped: none");
    }

    private String table() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BuildReport.read(root, BEGAN).print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void suite(String file, String name, int tests, int skipped, double seconds, Instant modified)
            throws IOException {
        String cases =
                "<testcase name=\"t\"><skipped message=\"no docker here&#10;at a.b.C\"/></testcase>".repeat(skipped);
        write(
                file,
                "<testsuite name=\"%s\" time=\"%s\" tests=\"%d\" errors=\"0\" skipped=\"%d\" failures=\"0\">%s</testsuite>"
                        .formatted(name, seconds, tests, skipped, cases),
                modified);
    }

    private void write(String name, String text, Instant modified) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(root.resolve(name.substring(0, name.indexOf("/target/")) + "/pom.xml"), "<project/>");
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(modified));
    }
}
