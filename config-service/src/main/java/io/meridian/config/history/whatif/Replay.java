package io.meridian.config.history.whatif;

import io.meridian.config.history.whatif.RecordedDemand.Series;
import io.meridian.config.history.whatif.WhatIf.ClientResult;
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
 * Replay of recorded demand against a draft's algorithm, with a counter per series. The requests of a minute are spread evenly
 * over up to {@link #INSTANTS_MAX} instants; of those at one instant as many are admitted as fit. At most
 * {@link #INSTANTS_TOTAL} instants over all series, but one per minute at least. Pure.
 */
final class Replay {
    static final int INSTANTS_MAX = 60;
    private static final long INSTANTS_TOTAL = 1_000_000;
    private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);

    private final Algorithm algorithm;
    private final Quota terms;
    private final long cost;
    private final long recordedCost;

    /**
     * @param recordedCost the charge of one request in the recorded units
     */
    Replay(LimitSpec draft, long recordedCost) {
        this.algorithm = draft.algorithm();
        this.terms = draft.quota();
        this.cost = draft.cost();
        this.recordedCost = recordedCost;
    }

    /** The result by key; series of one key add up. */
    Collection<ClientResult> run(List<Series> series) {
        long minutes = series.stream().mapToLong(Series::length).sum();
        int instants = (int) Math.max(1, Math.min(INSTANTS_MAX, INSTANTS_TOTAL / Math.max(1, minutes)));
        Map<String, ClientResult> clients = new LinkedHashMap<>();
        series.forEach(each -> clients.merge(each.key(), run(each.settled(), instants), ClientResult::plus));
        return clients.values();
    }

    private ClientResult run(Series series, int instantsMax) {
        CounterState state = CounterState.UNTOUCHED;
        long requests = 0;
        long denied = 0;
        for (int i = 0; i < series.length(); i++) {
            long requested = (series.units(i) + recordedCost - 1) / recordedCost;
            long instants = Math.min(requested, instantsMax);
            for (long at = 0; at < instants; at++) {
                long here = requested * (at + 1) / instants - requested * at / instants;
                long nowMicros = series.minute(i) + MINUTE * at / instants;
                Outcome look = algorithm.decide(state, terms, 0, nowMicros);
                long fits = Math.min(here, look.standing().remaining() / cost);
                state = fits == 0
                        ? look.next()
                        : algorithm.decide(state, terms, fits * cost, nowMicros).next();
                denied += here - fits;
            }
            requests += requested;
        }
        return new ClientResult(series.key(), requests, denied);
    }
}
