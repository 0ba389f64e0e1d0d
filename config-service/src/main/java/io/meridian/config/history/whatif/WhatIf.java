package io.meridian.config.history.whatif;

import io.meridian.config.database.Database;
import io.meridian.config.history.TimeRange;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Selector;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Simulation of a draft policy on recorded usage. Bounded: a replay takes a core for about a second. */
@Singleton
public class WhatIf {
    static final int CLIENTS_MAX = 100;
    private static final int CONCURRENT_MAX = 2;
    /** Longer than for other queries, because of the curves of ten thousand keys. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(20);

    private static final Comparator<ClientResult> MOST_DENIED = Comparator.comparingLong(ClientResult::denied)
            .thenComparingLong(ClientResult::requests)
            .reversed()
            .thenComparing(ClientResult::key);

    private final Database database;
    private final Semaphore permits = new Semaphore(CONCURRENT_MAX);

    WhatIf(Database database) {
        this.database = database;
    }

    /** Empty while the most that may run at once are running. */
    public Optional<Answer> ask(Policy draft, Optional<String> basis, TimeRange range) {
        if (!permits.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return Optional.of(answer(draft, basis, range));
        } finally {
            permits.release();
        }
    }

    private Answer answer(Policy draft, Optional<String> named, TimeRange range) {
        BasisPolicy basis = database.read(session -> BasisPolicy.choose(session, draft, named, range));
        RecordedDemand recorded =
                database.transaction(QUERY_TIMEOUT, session -> RecordedDemand.read(session, draft, basis, range));
        Collection<ClientResult> clients = new Replay(draft.limitSpec(), basis.cost()).run(recorded.series());
        List<ClientResult> most =
                clients.stream().sorted(MOST_DENIED).limit(CLIENTS_MAX).toList();
        return new Answer(
                range,
                basis.policy(),
                clients.stream().mapToLong(ClientResult::requests).sum(),
                clients.stream().mapToLong(ClientResult::denied).sum(),
                clients.size(),
                most,
                Assumptions.of(draft, basis, recorded));
    }

    /**
     * Result of a simulation.
     *
     * @param basis the policy whose recorded usage was replayed
     * @param clients those with the most denied requests
     * @param assumptions on which the result rests, as texts
     */
    public record Answer(
            TimeRange range,
            String basis,
            long requests,
            long denied,
            int keys,
            List<ClientResult> clients,
            List<String> assumptions) {
        /** The share of requests that would have been denied. */
        public double share() {
            return requests == 0 ? 0 : (double) denied / requests;
        }
    }

    /** Requests of one key, and how many of them the draft would have denied. */
    public record ClientResult(String key, long requests, long denied) {
        ClientResult plus(ClientResult other) {
            return new ClientResult(key, requests + other.requests, denied + other.denied);
        }
    }

    /** Texts of the assumptions. */
    private static final class Assumptions {
        private Assumptions() {}

        static List<String> of(Policy draft, BasisPolicy basis, RecordedDemand recorded) {
            List<String> texts = new ArrayList<>();
            texts.add("The requests are those that " + basis.policy()
                    + " counted and those it refused; a refused client that" + " tried again counts each time.");
            texts.add(
                    "Usage is recorded by the minute: the requests of a minute are spread evenly over it, and each is taken to"
                            + " be charged " + basis.cost() + " by " + basis.policy() + " and "
                            + draft.limitSpec().cost()
                            + " by the draft.");
            texts.add("Every counter begins untouched at the start of the range.");
            texts.add("Overrides, the allow list and adaptive limits are not applied.");
            if (selects(draft.appliesTo())) {
                texts.add(
                        "Endpoints, methods, tiers and headers of the draft are not applied: usage is recorded without them.");
            }
            texts.add(
                    draft.coordination().scope() == Scope.GLOBAL
                            ? "The limit is held exactly over all regions, as if each knew of the others at once."
                            : "Every region counts for itself.");
            if (draft.enforcement().action() != Action.REJECT) {
                texts.add("Denied is what the draft would refuse; its action is not to reject.");
            }
            if (recorded.isTruncated()) {
                texts.add("There was more than is replayed: these are the "
                        + recorded.series().size() + " busiest of " + recorded.total() + " counters.");
            }
            return texts;
        }

        private static boolean selects(Selector selector) {
            return !(selector.endpoints().isEmpty()
                    && selector.methods().isEmpty()
                    && selector.tiers().isEmpty()
                    && selector.headers().isEmpty());
        }
    }
}
