package io.meridian.config.regions;

import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.config.regions.RegionQueries.RegionAnswers;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQuery.Kind;
import io.meridian.model.wire.RegionQueryReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Query to the limiters whose answers are being collected. One instance's answer suffices for the status of a client in a
 * region; a reset needs all instances of the region, because each holds leases of its own.
 */
final class PendingQuery {
    private final RegionQuery question;
    private final Set<String> known = new TreeSet<>();
    private final Map<String, Set<String>> live = new HashMap<>();
    private final Map<String, Map<String, RegionQueryReply>> answers = new TreeMap<>();
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    PendingQuery(RegionQuery question, List<Instance> instances) {
        this.question = question;
        for (Instance each : instances) {
            known.add(each.region());
            if (each.live()) {
                live.computeIfAbsent(each.region(), region -> new HashSet<>()).add(each.name());
            }
        }
    }

    RegionQuery question() {
        return question;
    }

    /** Completes when no more answers are expected; with false if the question was not sent. */
    CompletableFuture<Boolean> done() {
        return done;
    }

    boolean hasLive() {
        return !live.isEmpty();
    }

    synchronized void answered(RegionQueryReply answer) {
        boolean expected = instances(answer.region()).contains(answer.instance());
        // An instance that started after the question is not waited for.
        if (expected) {
            answers.computeIfAbsent(answer.region(), region -> new TreeMap<>()).putIfAbsent(answer.instance(), answer);
        }
        if (live.keySet().stream().allMatch(this::isSettled)) {
            done.complete(true);
        }
    }

    synchronized RegionAnswers collected() {
        List<RegionQueryReply> given = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String region : known) {
            answer(region).ifPresentOrElse(given::add, () -> missing.add(region));
        }
        return new RegionAnswers(given, missing, question.requestedMicros());
    }

    /** Whether no further answer of the region can change its result. */
    private boolean isSettled(String region) {
        return answer(region).isPresent()
                || of(region).size() == instances(region).size();
    }

    private Optional<RegionQueryReply> answer(String region) {
        List<RegionQueryReply> good = of(region).values().stream()
                .filter(answer -> answer.failed() == null)
                .toList();
        int needed =
                question.kind() == Kind.RESET ? Math.max(1, instances(region).size()) : 1;
        return good.size() >= needed ? Optional.of(good.get(good.size() - 1)) : Optional.empty();
    }

    private Set<String> instances(String region) {
        return live.getOrDefault(region, Set.of());
    }

    private Map<String, RegionQueryReply> of(String region) {
        return answers.getOrDefault(region, Map.of());
    }
}
