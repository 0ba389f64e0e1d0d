package io.meridian.stack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.ManagedPart.PartVerb;
import io.meridian.stack.faults.ExtraRoutes;
import io.meridian.stack.faults.ExtraRoutes.ApiAnswer;
import io.meridian.stack.faults.FaultRefusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The parts of a stack over HTTP: {@code GET /parts}, {@code POST /parts/limiter-us-east/kill}. */
final class PartRoutes implements ExtraRoutes {
    private static final String ROOT = "parts";

    private final List<ManagedPart> parts;
    private final PartCalls calls;

    /** @param parts present parts; more may be added */
    PartRoutes(List<ManagedPart> parts, PartCalls calls) {
        this.parts = parts;
        this.calls = calls;
    }

    @Override
    public boolean serve(List<String> path) {
        return !path.isEmpty() && path.get(0).equals(ROOT) && path.size() <= 3;
    }

    @Override
    public ApiAnswer answer(String method, List<String> path) {
        return switch (method + " " + path.size()) {
            case "GET 1" -> ApiAnswer.ok(all());
            case "GET 2" -> ApiAnswer.ok(json(part(path)));
            case "POST 3" -> perform(part(path), PartVerb.of(path.get(2)));
            default -> ApiAnswer.error(405, "no route for " + method + " /" + String.join("/", path));
        };
    }

    private ManagedPart part(List<String> path) {
        return parts.stream()
                .filter(part -> part.name().equals(path.get(1)))
                .findFirst()
                .orElseThrow(() -> FaultRefusal.missing("part", path.get(1)));
    }

    private ApiAnswer perform(ManagedPart part, PartVerb verb) {
        calls.perform(part, verb);
        return ApiAnswer.ok(json(part));
    }

    private ObjectNode all() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode list = all.putArray(ROOT);
        parts.stream().filter(part -> part.started().isPresent()).forEach(part -> list.add(json(part)));
        return all;
    }

    /** A part that never had a process has but its name. */
    private static ObjectNode json(ManagedPart managed) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", managed.name());
        managed.state().ifPresent(part -> json.put("kind", part.kind().name().toLowerCase(Locale.ROOT))
                .put("address", part.address())
                .put("pid", part.process().pid())
                .put("alive", managed.isAlive())
                .put("frozen", part.process().isFrozen())
                .put("stopped", part.stopped()));
        return json;
    }

    /**
     * Threads that carry out operations on parts. When the stack ends, starts under way are given up, and ends under way are completed
     * first.
     */
    static final class PartCalls implements AutoCloseable {
        private static final int AT_ONCE = 16;
        private static final int STOP_SECONDS_MAX = 30;

        private final ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE, work -> {
            Thread thread = new Thread(work, "part-call");
            thread.setDaemon(true);
            return thread;
        });
        private final Map<Object, Future<?>> starts = new ConcurrentHashMap<>();

        /** Returns when it is done; a refusal is the caller's. */
        void perform(ManagedPart part, PartVerb verb) {
            Callable<Boolean> work = () -> {
                part.perform(verb);
                return true;
            };
            try {
                Future<Boolean> call = workers.submit(work);
                if (verb.starts()) {
                    starts.put(work, call);
                }
                try {
                    call.get();
                } finally {
                    starts.remove(work);
                }
            } catch (RejectedExecutionException | CancellationException ending) {
                throw stackEnds(part, verb);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw stackEnds(part, verb);
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof FaultRefusal refusal
                        ? refusal
                        : new IllegalStateException(
                                part.name() + " cannot " + verb.word() + ": " + failed.getCause(), failed);
            }
        }

        private static FaultRefusal stackEnds(ManagedPart part, PartVerb verb) {
            return FaultRefusal.of(409, "the stack ends, cannot " + verb.word() + " " + part.name());
        }

        @Override
        public void close() {
            workers.shutdown();
            starts.values().forEach(start -> start.cancel(true));
            try {
                workers.awaitTermination(STOP_SECONDS_MAX, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
