package io.meridian.testkit.load;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.meridian.stack.process.Loopback;
import java.net.URI;
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
class ManyClientsTest {
    private static final int CLIENTS = 4;

    private final int port = Loopback.freePort();
    private final ExecutorService threads = Executors.newFixedThreadPool(2 * CLIENTS);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideMost = new AtomicInteger();
    private final CountDownLatch full = new CountDownLatch(CLIENTS);
    private final HttpServer server;

    ManyClientsTest() throws Exception {
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
        LoadResult result =
                LoadGenerator.run(CLIENTS, 1_000, Workload.of("mixed", number -> get(number % 4 == 0 ? 429 : 200)));

        assertThat(result.statuses()).isEqualTo(Map.of(200, 750, 429, 250));
        assertThat(result.failures()).isEmpty();
        assertThat(result.requests()).isEqualTo(1_000);
        assertThat(result.micros(50)).isPositive().isLessThanOrEqualTo(result.micros(100));
        assertThat(insideMost).hasValueLessThanOrEqualTo(CLIENTS);
    }

    @Test
    void what_nobody_answers_is_a_failure_of_its_kind() throws Exception {
        server.stop(0);

        LoadResult result = LoadGenerator.run(2, 10, Workload.of("refused", get(200), Keys.one(0)));

        assertThat(result.statuses()).isEmpty();
        assertThat(result.failures()).isEqualTo(Map.of("ConnectException", 10));
    }

    @Test
    void it_goes_on_until_it_is_stopped() throws Exception {
        LoadGenerator.Running load = LoadGenerator.start(CLIENTS, Workload.of("endless", get(200), Keys.one(0)));
        full.await();
        eventually("a hundred answers").until(() -> load.done() >= 100);

        LoadResult result = load.stop();

        assertThat((long) result.count(200)).isEqualTo(result.requests()).isGreaterThanOrEqualTo(100);
        assertThat(load.done()).isEqualTo(result.requests());
    }

    private EncodedRequest get(int status) {
        return EncodedRequest.get(URI.create("http://" + Loopback.HOST + ":" + port + "/" + status));
    }
}
