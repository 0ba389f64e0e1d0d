package io.meridian.limiter.http;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import io.restassured.RestAssured;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What no input may do to the service, whichever limiter stands behind it. */
abstract class FuzzContract {
    private static final int FRAMED = TestAmounts.of(9_600, 96_000);
    private static final int GARBAGE = FRAMED / 24;
    private static final long HEAP_GROWTH_MAX = 48L << 20;
    private static final int THREAD_GROWTH_MAX = 32;
    private static final int SOCKET_GROWTH_MAX = 16;

    @Test
    void malformed_requests_do_no_harm() throws Exception {
        Fuzz fuzz = new Fuzz(RestAssured.port);
        long seed = TestSeeds.first();
        fuzz.run(seed - 100, FRAMED / 10, GARBAGE / 10);
        long heapBefore = heapUsed();
        int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
        long filesBefore = openFiles();

        try {
            fuzz.run(seed, FRAMED, GARBAGE);
        } catch (ExecutionException failure) {
            throw new AssertionError("-Dmeridian.seed=" + seed + " replays: " + failure.getCause(), failure);
        }

        System.out.println("fuzz: answers by status " + fuzz.statuses());
        given().contentType("application/json")
                .body("{\"attributes\": {\"user_id\": \"42\"}}")
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(200);
        assertThat(fuzz.statuses()).containsKeys(200, 400, 404, 405, 413, 415, 422);
        assertThat(heapUsed() - heapBefore).as("growth of the heap in bytes").isLessThan(HEAP_GROWTH_MAX);
        assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - threadsBefore)
                .as("growth of threads")
                .isLessThan(THREAD_GROWTH_MAX);
        eventually("connections are closed").until(() -> openFiles() - filesBefore < SOCKET_GROWTH_MAX);
    }

    private static long heapUsed() {
        var memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** Where the system does not tell, none. */
    private static long openFiles() {
        Path own = Path.of("/proc/self/fd");
        if (!Files.isDirectory(own)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(own)) {
            return files.count();
        } catch (IOException untold) {
            return 0;
        }
    }
}
