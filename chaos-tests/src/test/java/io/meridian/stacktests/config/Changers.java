package io.meridian.stacktests.config;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Admins who change policies one after the other, each its own, and write down what was answered. */
final class Changers {
    private static final int POLICIES_EACH = 3;
    private static final int PAUSE_MILLIS = 50;

    private final Queue<Answered> answered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failed = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /** A change that the service said it had made. */
    record Answered(String policy, long limit, long revision) {}

    private Changers() {}

    /**
     * So many, each at one of the replicas.
     *
     * @param prefix of their policies' names; nobody else's, because a change to the limit that a policy already has is no change and gets no
     *     revision of its own
     */
    static Changers start(String prefix, int count, List<Admin> replicas) {
        Changers changers = new Changers();
        for (int number = 0; number < count; number++) {
            String name = prefix + number;
            Admin admin = replicas.get(number % replicas.size());
            Thread thread = new Thread(() -> changers.change(admin, name), "changer-" + name);
            thread.setDaemon(true);
            changers.threads.add(thread);
            thread.start();
        }
        return changers;
    }

    /** The latest revision that was answered. */
    long revision() {
        return answered.stream().mapToLong(Answered::revision).max().orElse(0);
    }

    int count() {
        return answered.size();
    }

    /** How many were not answered, or by a refusal: nobody knows what became of them. */
    int failures() {
        return failed.get();
    }

    List<Answered> stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(answered);
    }

    private void change(Admin admin, String name) {
        try {
            for (int limit = 1; !stopped; limit++) {
                change(admin, name + "-" + limit % POLICIES_EACH, limit);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void change(Admin admin, String policy, int limit) throws InterruptedException {
        try {
            HttpResponse<String> answer = admin.put(policy, limit);
            if (answer.statusCode() == 200 || answer.statusCode() == 201) {
                long revision = Long.parseLong(
                        answer.headers().firstValue(Admin.REVISION).orElseThrow());
                answered.add(new Answered(policy, limit, revision));
                return;
            }
        } catch (IOException killed) {
            // As good as any other failure: it is not known what became of the change.
        }
        failed.incrementAndGet();
        Thread.sleep(PAUSE_MILLIS);
    }
}
