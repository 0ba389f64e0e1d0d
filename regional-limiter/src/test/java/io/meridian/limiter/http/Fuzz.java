package io.meridian.limiter.http;

import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sends what nobody should send, to whatever service listens at a port. Requests that are framed go many at a time on
 * connections that are kept, so that an answer that is missing or out of place shows; garbage gets a connection of its own.
 */
final class Fuzz {
    private static final int CLIENTS = 4;
    private static final int PIPELINED = 16;
    private static final String GOOD = "POST /api/v1/rate-limit/check HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

    private final int port;
    private final ConcurrentHashMap<Integer, LongAdder> statuses = new ConcurrentHashMap<>();

    Fuzz(int port) {
        this.port = port;
    }

    /** How often each status was answered; -1 where a connection was closed instead. */
    ConcurrentHashMap<Integer, LongAdder> statuses() {
        return statuses;
    }

    void run(long seed, int framed, int garbage) throws InterruptedException, ExecutionException {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Void>> shares = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                SplittableRandom random = new SplittableRandom(seed + i);
                shares.add(() -> {
                    sendFramed(random, framed / CLIENTS);
                    sendGarbage(random, garbage / CLIENTS);
                    return null;
                });
            }
            for (Future<Void> share : clients.invokeAll(shares)) {
                share.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private void sendFramed(SplittableRandom random, int count) throws IOException {
        int made = 0;
        Deque<FuzzedRequest> waiting = new ArrayDeque<>();
        while (made < count || !waiting.isEmpty()) {
            try (RawHttp http = new RawHttp(port)) {
                boolean open = true;
                while (open && (made < count || !waiting.isEmpty())) {
                    for (; waiting.size() < PIPELINED && made < count; made++) {
                        waiting.add(FuzzedRequest.of(random));
                    }
                    open = exchange(http, waiting);
                }
            }
        }
    }

    /** Sends what waits and takes what is answered off it; false if the service has closed the connection. */
    private boolean exchange(RawHttp http, Deque<FuzzedRequest> waiting) throws IOException {
        boolean sent = sent(http, waiting);
        boolean answered = false;
        while (!waiting.isEmpty()) {
            FuzzedRequest next = waiting.element();
            int status;
            try {
                status = http.status(next.toHead());
            } catch (SocketException reset) {
                status = -1;
            } catch (IOException | RuntimeException failure) {
                throw new AssertionError("no answer to " + shown(next.bytes()), failure);
            }
            if (status < 0) {
                if (!answered) {
                    // On a connection of its own it is either answered or cut off for good.
                    count(-1, waiting.remove().bytes());
                }
                return false;
            }
            answered = true;
            count(status, waiting.remove().bytes());
        }
        return sent;
    }

    private static boolean sent(RawHttp http, Deque<FuzzedRequest> waiting) {
        try {
            for (FuzzedRequest request : waiting) {
                http.send(request.bytes());
            }
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private void sendGarbage(SplittableRandom random, int count) throws IOException {
        Mutations mutations = new Mutations(random);
        for (int i = 0; i < count; i++) {
            byte[] bytes = random.nextInt(4) == 0 ? mutations.random(4_000) : mutations.mutated(GOOD + GOOD);
            try (RawHttp http = new RawHttp(port)) {
                http.send(bytes);
                http.sendNoMore();
                for (int status = http.status(false); status >= 0; status = http.status(false)) {
                    count(status, bytes);
                }
                count(-1, bytes);
            } catch (SocketException reset) {
                count(-1, bytes);
            } catch (IOException failure) {
                throw new AssertionError("no answer to " + shown(bytes), failure);
            }
        }
    }

    private void count(int status, byte[] request) {
        if (status >= 500) {
            throw new AssertionError(status + " to " + shown(request));
        }
        statuses.computeIfAbsent(status, s -> new LongAdder()).increment();
    }

    private static String shown(byte[] request) {
        String text = new String(request, StandardCharsets.ISO_8859_1);
        return text.length() <= 2_000 ? text : text.substring(0, 2_000) + "… of " + text.length();
    }
}
