package io.meridian.bench.limiter;

import io.meridian.bench.PolicySet;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The file from which the measured limiter takes its policies, and takes them anew when it changes. */
record PolicyFile(Path file) {
    /** So much that nothing is denied; a set's own size on top tells one set from another. */
    private static final long LIMIT = 100_000_000;

    private static final long TAKEN_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    void write(int size) throws IOException {
        Path next = file.resolveSibling("policies.next");
        Files.writeString(
                next,
                "default_tier: free\npolicies:\n- " + String.join("\n- ", PolicySet.json(size, LIMIT + size)) + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes and returns once checks are answered by it. */
    void change(int size, URI check, String question) throws IOException {
        write(size);
        String sign = "\"limit\":" + (LIMIT + size);
        long giveUpNanos = TimeSource.system().monotonicNanos() + TAKEN_WITHIN_NANOS;
        String answer = ask(check, question);
        while (!answer.contains(sign)) {
            if (TimeSource.system().monotonicNanos() > giveUpNanos) {
                throw new IllegalStateException(size + " policies were not taken, the last answer was " + answer);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            answer = ask(check, question);
        }
    }

    private static String ask(URI check, String question) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) check.toURL().openConnection();
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream body = connection.getOutputStream()) {
            body.write(question.getBytes(StandardCharsets.UTF_8));
        }
        try (InputStream body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
