package io.meridian.infra.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.stack.process.Executables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The kustomize of this machine's kubectl. */
record Kustomize(Path kubectl) {
    /** The first that has components, inline patches and labels as they are used here. */
    private static final int RELEASE_MIN = 5;

    private static final int SECONDS_MAX = 60;

    /** What was rendered before: tests look at the same from several sides. */
    private static final Map<Path, Rendered> RENDERED = new HashMap<>();

    /** Why this machine's cannot be used; found out and said once. */
    private static final class Refusal {
        static final Optional<String> REASON = reason();

        private static Optional<String> reason() {
            Optional<String> reason =
                    Executables.onPath("kubectl").map(Kustomize::tooOld).orElse(Optional.of("no kubectl is installed"));
            reason.ifPresent(why -> System.out.println(
                    "[kubernetes] SKIPPED: " + why + ", so nobody looked at what kustomize renders"));
            return reason;
        }
    }

    /** A machine without one skips the test and says so. */
    static Kustomize ofThisMachine() {
        assumeTrue(Refusal.REASON.isEmpty(), Refusal.REASON.orElse(""));
        return new Kustomize(Executables.onPath("kubectl").orElseThrow());
    }

    private static Optional<String> tooOld(Path kubectl) {
        try {
            Output said = run(kubectl.toString(), "version", "--client", "--output=json");
            String release = new ObjectMapper()
                    .readTree(said.text())
                    .path("kustomizeVersion")
                    .asText("v0");
            int major = Integer.parseInt(release.replaceFirst("^v", "").replaceFirst("\\D.*$", ""));
            return major >= RELEASE_MIN
                    ? Optional.empty()
                    : Optional.of(kubectl + " has kustomize " + release + ", and " + RELEASE_MIN + " is needed");
        } catch (IOException e) {
            return Optional.of(kubectl + " does not say its version: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while asking " + kubectl + " for its version");
        }
    }

    Rendered render(Path folder) throws IOException, InterruptedException {
        synchronized (RENDERED) {
            Rendered before = RENDERED.get(folder);
            if (before != null) {
                return before;
            }
            Output output = run(kubectl.toString(), "kustomize", folder.toString());
            if (output.code() != 0) {
                throw new IOException("kubectl kustomize " + folder + " failed: " + output.text());
            }
            Rendered rendered = new Rendered(Documents.parse(output.text()));
            RENDERED.put(folder, rendered);
            return rendered;
        }
    }

    private record Output(int code, String text) {}

    private static Output run(String... command) throws IOException, InterruptedException {
        Path complaints = Files.createTempFile("kubectl", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(complaints.toFile())
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " did not end");
            }
            int code = process.exitValue();
            return new Output(code, code == 0 ? text : Files.readString(complaints));
        } finally {
            Files.delete(complaints);
        }
    }

    /** A name of what was rendered, for messages. */
    static String name(JsonNode manifest) {
        return manifest.path("kind").asText() + "/"
                + manifest.at("/metadata/name").asText();
    }
}
