package io.meridian.testkit.load;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.meridian.stack.process.Loopback;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class LoadTest {
    private static final int CLIENTS = 4;

    private final int port = Loopback.freePort();
    private final ExecutorService threads = Executors.newFixedThreadPool(2 * CLIENTS);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideMost = new AtomicInteger();
    private final CountDownLatch full = new CountDownLatch(CLIENTS);
    private final HttpServer server;

    LoadTest() throws Exception {
        server = HttpServer.create(Loopback.at(port), 0);
    }

    @BeforeEach
    void start() {
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            insideMost.accumulateAndGet(inside.incrementAndGet(), Math::max);
            full.countDown();
            int status = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            inside.decrementAndGet();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void every_answer_is_counted_by_its_status_and_never_more_are_asked_at_once_than_there_are_clients()
            throws Exception {
        LoadReport report = Load.run(CLIENTS, 1_000, turn -> get(turn % 4 == 0 ? 429 : 200));

        assertThat(report.statuses()).isEqualTo(Map.of(200, 750L, 429, 250L));
        assertThat(report.failures()).isEmpty();
        assertThat(report.requests()).isEqualTo(1_000);
        assertThat(report.millis(0.5)).isPositive().isLessThanOrEqualTo(report.millis(1));
        assertThat(insideMost).hasValueLessThanOrEqualTo(CLIENTS);
    }

    @Test
    void what_nobody_answers_is_a_failure_of_its_kind() throws Exception {
        server.stop(0);

        LoadReport report = Load.run(2, 10, turn -> get(200));

        assertThat(report.statuses()).isEmpty();
        assertThat(report.failures()).isEqualTo(Map.of("ConnectException", 10L));
    }

    @Test
    void it_goes_on_until_it_is_stopped() throws Exception {
        Load load = Load.start(CLIENTS, turn -> get(200));
        full.await();
        eventually("a hundred answers").until(() -> load.done() >= 100);

        LoadReport report = load.stop();

        assertThat(report.count(200)).isEqualTo(report.requests()).isGreaterThanOrEqualTo(100);
        assertThat(load.done()).isEqualTo(report.requests());
    }

    private HttpRequest.Builder get(int status) {
        return HttpRequest.newBuilder(URI.create("http://" + Loopback.HOST + ":" + port + "/" + status));
    }
}
