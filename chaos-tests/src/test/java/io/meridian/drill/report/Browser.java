package io.meridian.drill.report;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real browser without a window, if this machine has one. */
record Browser(Path program) {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long OPEN_SECONDS = 600;

    /**
     * What came of opening a page.
     *
     * @param complaints what its console said
     */
    record Seen(String dom, List<String> complaints) {}

    static Optional<Browser> installed() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return NAMES.stream()
                .flatMap(name ->
                        Arrays.stream(path.split(File.pathSeparator, -1)).map(dir -> Path.of(dir, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Browser::new);
    }

    Seen open(Path page) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory(page.getParent(), "profile");
        Path dom = profile.resolve("dom.html");
        Path log = profile.resolve("log.txt");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--enable-logging=stderr",
                        "--user-data-dir=" + profile,
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(dom.toFile())
                .redirectError(log.toFile())
                .start();
        if (!process.waitFor(OPEN_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(program + " did not show the page within " + OPEN_SECONDS + " s");
        }
        try (Stream<String> lines = Files.lines(log)) {
            return new Seen(
                    Files.readString(dom),
                    lines.filter(line -> line.contains("CONSOLE")).toList());
        }
    }
}
