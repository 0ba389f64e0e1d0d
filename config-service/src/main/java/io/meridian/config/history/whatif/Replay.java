package io.meridian.config.history.whatif;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.policy.LimitSpec;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a draft's algorithm over recorded demand, a counter per series. The requests of a minute are spread evenly over up to
 * {@link #INSTANTS_MAX} instants of it; of those at one instant as many are admitted as fit.
 */
final class Replay {
    static final int INSTANTS_MAX = 60;
    private static final long INSTANTS_OF_ALL = 1_000_000;
    private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);

    private final Algorithm algorithm;
    private final Quota terms;
    private final long cost;
    private final long recordedCost;

    /**
     * @param recordedCost what one request was charged in the recorded units
     */
    Replay(LimitSpec draft, long recordedCost) {
        this.algorithm = draft.algorithm();
        this.terms = draft.quota();
        this.cost = draft.cost();
        this.recordedCost = recordedCost;
    }

    /** What becomes of each key; series of one key add up. */
    Collection<Client> run(List<Demand> series) {
        long minutes = series.stream().mapToLong(Demand::length).sum();
        int instants = (int) Math.max(1, Math.min(INSTANTS_MAX, INSTANTS_OF_ALL / Math.max(1, minutes)));
        Map<String, Client> clients = new LinkedHashMap<>();
        series.forEach(each -> clients.merge(each.key(), run(each.settled(), instants), Client::plus));
        return clients.values();
    }

    private Client run(Demand demand, int instantsMax) {
        CounterState state = CounterState.UNTOUCHED;
        long requests = 0;
        long denied = 0;
        for (int i = 0; i < demand.length(); i++) {
            long asked = (demand.units(i) + recordedCost - 1) / recordedCost;
            long instants = Math.min(asked, instantsMax);
            for (long at = 0; at < instants; at++) {
                long here = asked * (at + 1) / instants - asked * at / instants;
                long nowMicros = demand.minute(i) + MINUTE * at / instants;
                Outcome look = algorithm.decide(state, terms, 0, nowMicros);
                long fits = Math.min(here, look.standing().remaining() / cost);
                state = fits == 0
                        ? look.next()
                        : algorithm.decide(state, terms, fits * cost, nowMicros).next();
                denied += here - fits;
            }
            requests += asked;
        }
        return new Client(demand.key(), requests, denied);
    }
}
