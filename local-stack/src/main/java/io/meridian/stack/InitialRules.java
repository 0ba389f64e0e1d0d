package io.meridian.stack;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.Supervisor.StackProgress;
import io.meridian.stack.rules.AdminApi;
import io.meridian.stack.rules.RuleDiff;
import io.meridian.stack.rules.RuleFailure;
import io.meridian.stack.rules.RuleFile;
import io.meridian.stack.rules.RuleUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Demo rules of a first start, which is known by a rulebook that was never changed. They go the way that every change goes,
 * by the admin API; where that fails, the stack runs without them and says so.
 */
final class InitialRules {
    static final String RESOURCE = "/demo-policies.yaml";

    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final int PAUSE_MILLIS = 100;

    private final AdminApi api;
    private final List<String> regions;
    private final StackProgress progress;
    private final TimeSource time;
    private final BooleanSupplier stopping;

    InitialRules(
            AdminApi api, List<String> regions, StackProgress progress, TimeSource time, BooleanSupplier stopping) {
        this.api = api;
        this.regions = regions;
        this.progress = progress;
        this.time = time;
        this.stopping = stopping;
    }

    void load() {
        long beganNanos = time.monotonicNanos();
        try {
            if (revision(beganNanos) > 0) {
                return;
            }
            RuleFile demo = RuleFile.resource(RESOURCE);
            RuleUpdate update = new RuleUpdate(api, RuleDiff.between(api, demo), false, false);
            for (int call = 0; call < update.calls(); call++) {
                update.send(call);
            }
        } catch (RuleFailure failure) {
            progress.note("The demo policies could not be loaded: " + failure.getMessage());
            return;
        }
        List<String> missing = waitForRegions(beganNanos);
        if (missing.isEmpty()) {
            progress.ready("demo policies", Duration.ofNanos(time.monotonicNanos() - beganNanos));
        } else {
            progress.note("The demo policies are loaded, but not known to be in effect: " + String.join(", ", missing));
        }
    }

    /** A service that is ready may still be waiting for its database. */
    private long revision(long beganNanos) {
        while (true) {
            try {
                return api.revision();
            } catch (RuleFailure failure) {
                if (!pause(beganNanos)) {
                    throw failure;
                }
            }
        }
    }

    private List<String> waitForRegions(long beganNanos) {
        List<String> missing = missing(regions, api::regions);
        while (!missing.isEmpty() && pause(beganNanos)) {
            missing = missing(regions, api::regions);
        }
        return missing;
    }

    /** Reasons, for the user, why the rules are not known to be in effect everywhere. */
    static List<String> missing(List<String> regions, Supplier<JsonNode> reports) {
        try {
            List<String> missing = new ArrayList<>();
            Set<String> silent = new HashSet<>(regions);
            for (JsonNode limiter : reports.get().path("items")) {
                String region = limiter.path("region").asText();
                long behind = limiter.path("behind").asLong(0);
                silent.remove(region);
                if (behind != 0) {
                    missing.add(region + " is " + behind + " behind");
                }
            }
            silent.stream().sorted().forEach(region -> missing.add(region + " has not reported"));
            return missing;
        } catch (RuleFailure failure) {
            return List.of(String.valueOf(failure.getMessage()));
        }
    }

    /** Whether there is time to try again. */
    private boolean pause(long beganNanos) {
        if (stopping.getAsBoolean() || time.monotonicNanos() - beganNanos > WITHIN.toNanos()) {
            return false;
        }
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
