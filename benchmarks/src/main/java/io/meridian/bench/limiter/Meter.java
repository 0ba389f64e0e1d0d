package io.meridian.bench.limiter;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** What the measured process had used at one moment. */
record Meter(long cpuNanos, long allocatedBytes) {
    static Meter read(URI address) throws IOException {
        try (InputStream body = address.toURL().openStream()) {
            String[] numbers = new String(body.readAllBytes(), StandardCharsets.US_ASCII).split(" ", 2);
            return new Meter(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        }
    }
}
