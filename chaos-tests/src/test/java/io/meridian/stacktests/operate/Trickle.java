package io.meridian.stacktests.operate;

import io.meridian.drill.history.Subject;
import io.meridian.drill.load.CheckClient.CheckRequest;
import io.meridian.drill.targets.HttpCalls;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;

/** A small load on all limiters in turn, until it is closed or has sent as many as it may. */
final class Trickle implements AutoCloseable {
    private static final int CHECKS_MAX = 100_000;
    private static final int PAUSE_MILLIS = 5;

    private final List<String> limiters;
    private final List<Subject> subjects;
    private final Thread thread = new Thread(this::run, "trickle");
    private volatile boolean closed;

    private Trickle(List<String> limiters, List<Subject> subjects) {
        this.limiters = limiters;
        this.subjects = subjects;
    }

    static Trickle on(List<String> limiters, List<Subject> subjects) {
        Trickle trickle = new Trickle(limiters, subjects);
        trickle.thread.setDaemon(true);
        trickle.thread.start();
        return trickle;
    }

    private void run() {
        try {
            for (int turn = 0; turn < CHECKS_MAX && !closed; turn++) {
                var unused = ask(
                        limiters.get(turn % limiters.size()), subjects.get(turn / limiters.size() % subjects.size()));
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException | InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    static HttpResponse<String> ask(String limiter, Subject subject) throws IOException, InterruptedException {
        return HttpCalls.send(HttpCalls.to(limiter + "/api/v1/rate-limit/check")
                .header("Content-Type", "application/json")
                .POST(HttpCalls.text(CheckRequest.of(subject)))
                .build());
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
