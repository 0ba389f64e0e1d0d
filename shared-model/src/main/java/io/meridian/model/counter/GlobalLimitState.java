package io.meridian.model.counter;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * State of a global limit in a region, in one incarnation of its data: an account for each window, and the counter of an algorithm without
 * aligned windows. Immutable.
 *
 * @param startedMicros when the incarnation began: what was taken before is of another one and is not given back to this one
 */
public record GlobalLimitState(Map<Long, WindowAccount> accounts, CounterState counter, long startedMicros) {
    public static final GlobalLimitState EMPTY = new GlobalLimitState(Map.of(), CounterState.UNTOUCHED);

    public GlobalLimitState {
        accounts = Collections.unmodifiableMap(new TreeMap<>(accounts));
    }

    public GlobalLimitState(Map<Long, WindowAccount> accounts, CounterState counter) {
        this(accounts, counter, 0);
    }

    /** Nothing yet, in an incarnation that began at this time. */
    public static GlobalLimitState startedAt(long startedMicros) {
        return new GlobalLimitState(Map.of(), CounterState.UNTOUCHED, startedMicros);
    }

    public WindowAccount account(long startMicros) {
        return accounts.getOrDefault(startMicros, WindowAccount.EMPTY);
    }

    public GlobalLimitState with(long startMicros, WindowAccount account) {
        Map<Long, WindowAccount> more = new TreeMap<>(accounts);
        more.put(startMicros, account);
        return new GlobalLimitState(more, counter, startedMicros);
    }

    /** The other state, with this one's account of one window. */
    GlobalLimitState withOthersOf(GlobalLimitState other, long startMicros) {
        Map<Long, WindowAccount> more = new TreeMap<>(other.accounts);
        WindowAccount own = accounts.get(startMicros);
        if (own == null) {
            more.remove(startMicros);
        } else {
            more.put(startMicros, own);
        }
        return new GlobalLimitState(more, other.counter, startedMicros);
    }

    /** The state after a verdict on a window; one that no longer counts and has no account is ignored. */
    public GlobalLimitState apply(long startMicros, long countedUntilMicros, WindowVerdict verdict, long nowMicros) {
        return nowMicros >= countedUntilMicros && !accounts.containsKey(startMicros)
                ? this
                : with(startMicros, account(startMicros).apply(verdict));
    }

    GlobalLimitState without(long startMicros) {
        Map<Long, WindowAccount> fewer = new TreeMap<>(accounts);
        fewer.remove(startMicros);
        return new GlobalLimitState(fewer, counter, startedMicros);
    }

    boolean isUntouched() {
        return accounts.isEmpty() && counter == CounterState.UNTOUCHED;
    }

    GlobalLimitState with(CounterState next) {
        return new GlobalLimitState(accounts, next, startedMicros);
    }
}
