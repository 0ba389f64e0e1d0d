package io.meridian.testkit.services;

import io.meridian.stack.process.Folders;
import io.meridian.stack.process.StartFailure;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Several limiter processes for the time of a test. */
public final class LimiterInstances implements AutoCloseable {
    static final int INSTANCES_MAX = 16;

    private final Path folder = Folders.temporary("limiters");
    private final List<LimiterInstance> instances = new ArrayList<>();

    private LimiterInstances() {}

    /** Starts {@code count} with the same settings. */
    public static LimiterInstances start(int count, LimiterSettings settings) {
        return start(Collections.nCopies(count, settings));
    }

    /** Starts one for each of the settings, side by side, and returns when all are ready. */
    public static LimiterInstances start(List<LimiterSettings> settings) {
        if (settings.isEmpty() || settings.size() > INSTANCES_MAX) {
            throw new IllegalArgumentException(
                    "settings must be for 1 to " + INSTANCES_MAX + " instances, got " + settings.size());
        }
        LimiterInstances started = new LimiterInstances();
        List<CompletableFuture<LimiterInstance>> starts = new ArrayList<>();
        for (LimiterSettings each : settings) {
            String name = "limiter-" + starts.size();
            starts.add(CompletableFuture.supplyAsync(
                    () -> LimiterInstance.start(name, started.folder, each), task -> new Thread(task, name).start()));
        }
        StartFailure failure = null;
        for (CompletableFuture<LimiterInstance> start : starts) {
            try {
                started.instances.add(start.join());
            } catch (CompletionException failed) {
                failure = new StartFailure("a limiter could not be started: " + failed.getMessage(), failed);
            }
        }
        if (failure != null) {
            started.close();
            throw failure;
        }
        return started;
    }

    public List<LimiterInstance> all() {
        return List.copyOf(instances);
    }

    public LimiterInstance get(int index) {
        return instances.get(index);
    }

    /** The same path at the instances in turn. */
    public URI uri(long turn, String path) {
        return instances.get((int) (turn % instances.size())).uri(path);
    }

    @Override
    public void close() {
        // Side by side: each goes on answering for a while before it ends.
        instances.parallelStream().forEach(LimiterInstance::close);
        Folders.deleteTemporary(folder);
    }
}
