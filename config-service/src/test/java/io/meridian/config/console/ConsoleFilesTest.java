package io.meridian.config.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** The console's own files: nothing inline, nothing from elsewhere, no way around the escaping of texts, and small. */
class ConsoleFilesTest {
    private static final Path FILES = Path.of("src/main/resources/META-INF/resources/console");
    private static final Path BUILT = Path.of("target/classes/META-INF/resources/console");
    private static final int FIRST_SCREEN_BYTES_MAX = 250 << 10;

    /** Ways from a text to markup or to code. */
    private static final Pattern MARKUP = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|unsafeHTML|unsafeSVG|unsafeStatic|\\beval\\(|new Function|setAttribute\\('on|style=");

    private static final Pattern INLINE =
            Pattern.compile("(?i)<script(?![^>]*\\bsrc=)|<style|\\sstyle=|\\son[a-z]+=|javascript:");
    private static final Pattern ELSEWHERE =
            Pattern.compile("(?:src|href|url|import)\\W{1,3}(?:https?:)?//(?!127\\.0\\.0\\.1)");

    @Test
    void scripts_have_no_way_from_a_text_to_markup() throws IOException {
        assertThat(found(MARKUP, ".js")).isEmpty();
        assertThat(found(INLINE, ".html")).isEmpty();
        assertThat(found(ELSEWHERE, "")).isEmpty();
    }

    @Test
    void the_patterns_find_what_they_are_for() {
        assertThat(MARKUP.matcher("element.innerHTML = text").find()).isTrue();
        assertThat(INLINE.matcher("<p onclick=\"go()\">").find()).isTrue();
        assertThat(INLINE.matcher("<script>go()</script>").find()).isTrue();
        assertThat(ELSEWHERE
                        .matcher("<script src=\"https://cdn.example/x.js\">")
                        .find())
                .isTrue();
        assertThat(ELSEWHERE.matcher("<script type=\"module\" src=\"app.js\">").find())
                .isFalse();
    }

    @Test
    void the_first_screen_is_small() throws IOException {
        int bytes = 0;
        for (String each :
                List.of("index.html", "app.css", "app.js", "core", "screens/overview.js", "lib/lit-html/lit-html.js")) {
            bytes += compressed(BUILT.resolve(each));
        }
        int all = compressed(BUILT);
        System.out.printf("[console] first screen %,d bytes compressed, everything %,d%n", bytes, all);

        assertThat(bytes).isBetween(1_000, FIRST_SCREEN_BYTES_MAX);
    }

    private static List<String> found(Pattern pattern, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(FILES)) {
            return files.filter(Files::isRegularFile)
                    .filter(each ->
                            each.toString().endsWith(ending) && !each.toString().endsWith(".md"))
                    .flatMap(each -> lines(each)
                            .filter(line -> pattern.matcher(line).find())
                            .map(line -> each + ": " + line.strip()))
                    .toList();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private static int compressed(Path path) throws IOException {
        int bytes = 0;
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
                    zip.write(Files.readAllBytes(file));
                }
                bytes += out.size();
            }
        }
        return bytes;
    }
}
