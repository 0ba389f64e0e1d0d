package io.meridian.infra.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A check that is a script: its exit code is the verdict. Where its tool is not installed it says so in a line that begins with
 * {@code SKIPPED:} and ends well, which counts as skipped and not as passed.
 */
record CheckScript(Path folder) {
    private static final String SKIPPED = "SKIPPED:";

    static CheckScript of(String part) {
        return new CheckScript(Path.of(part).toAbsolutePath());
    }

    /** Fails with all that the script said, or skips with the reason that it gave. */
    void passes() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("bash", folder.resolve("check").toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();

        assertThat(code).as(output).isZero();
        Optional<String> skipped =
                output.lines().filter(line -> line.startsWith(SKIPPED)).findFirst();
        skipped.ifPresent(line -> System.out.println("[" + folder.getFileName() + "] " + line));
        assumeTrue(skipped.isEmpty(), skipped.orElse(""));
    }
}
