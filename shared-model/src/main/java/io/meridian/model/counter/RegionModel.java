package io.meridian.model.counter;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.counter.CounterRequest.Peek;
import io.meridian.model.counter.CounterRequest.Take;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Data of a region's Redis and the operations of its scripts on it: counters, accounts of global limits with their report marks, and the
 * incarnation. It is the specification that every script is tested against and that the simulation stores. Time is an argument, and nothing here
 * expires: Redis may forget a counter that equals an untouched one, and an account long after its window, by {@link #forget}.
 *
 * <p>Not in here: the bound of accounts that are marked in one shard, which has a test of its own. For one caller at a time.
 */
public final class RegionModel {
    private final Map<CounterId, CounterState> counters;
    private final Map<StateId, GlobalLimitState> states;
    private final Map<AccountId, ReportMark> marks;
    private Origin origin = Origin.NONE;

    public RegionModel() {
        this(new HashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    private RegionModel(
            Map<CounterId, CounterState> counters,
            Map<StateId, GlobalLimitState> states,
            Map<AccountId, ReportMark> marks) {
        this.counters = counters;
        this.states = states;
        this.marks = marks;
    }

    /** Regional counter: one for each policy, algorithm and key. */
    private record CounterId(String policyId, String key, Algorithm algorithm) {
        static CounterId of(Limit limit) {
            return new CounterId(
                    limit.policy().id(), limit.key(), limit.policy().limitSpec().algorithm());
        }
    }

    /** State of a global limit in one incarnation. */
    public record StateId(long incarnation, String policyId, String key) {}

    private record AccountId(long incarnation, LimitWindow window) {}

    /** Where an incarnation began. */
    private record Origin(Incarnation incarnation, Server server) {
        static final Origin NONE = new Origin(new Incarnation(0, true), new Server("", "", 0));
    }

    /**
     * A Redis server.
     *
     * @param runId changes with every start
     * @param replicationId names its replication history
     * @param offset how far it is in that history
     */
    public record Server(String runId, String replicationId, long offset) {}

    /**
     * Incarnation of the data.
     *
     * @param wiped whether it began without data
     */
    public record Incarnation(long number, boolean wiped) {}

    /** The caller names another incarnation than that of the data. */
    public static final class StaleIncarnationException extends RuntimeException {
        private static final long serialVersionUID = 1;

        StaleIncarnationException(long named, long current) {
            super("the data is of incarnation " + current + ", not " + named, null, false, false);
        }
    }

    /**
     * Account that is due to be reported.
     *
     * @param ownLimit the limit where it is not the policy's, else 0
     * @param claim names the claim of the caller, who is to report it
     */
    public record Due(LimitWindow window, long incarnation, WindowAccount account, long ownLimit, long claim) {}

    /** A copy that changes on its own, as a replica has it. */
    public RegionModel copied() {
        Map<AccountId, ReportMark> copies = new LinkedHashMap<>();
        marks.forEach((id, mark) -> copies.put(id, mark.copied()));
        RegionModel copy = new RegionModel(new HashMap<>(counters), new LinkedHashMap<>(states), copies);
        copy.origin = origin;
        return copy;
    }

    /** Number of the incarnation; 0 before the first was identified. */
    public long incarnation() {
        return origin.incarnation.number;
    }

    /**
     * Incarnation of the data on this server. A new one begins if there is none, or the data came from another run or another replication
     * history, or from a later place in it: then something may have been lost. Its number is larger than any before.
     *
     * @param lastKnown number of the last incarnation that the caller knows; 0 if none
     */
    public Incarnation identify(Server server, long lastKnown, long nowMicros) {
        boolean none = incarnation() == 0;
        boolean same = !none
                && origin.server.runId.equals(server.runId)
                && origin.server.replicationId.equals(server.replicationId)
                && origin.server.offset <= server.offset;
        if (!same) {
            long last = Math.max(lastKnown, incarnation());
            origin = new Origin(new Incarnation(Math.max(nowMicros, last + 1), none), server);
        }
        return origin.incarnation;
    }

    /** Refuses a call that names another incarnation, as every script does. */
    public void requireCurrent(long incarnation) {
        if (incarnation != incarnation()) {
            throw new StaleIncarnationException(incarnation, incarnation());
        }
    }

    /** Executes a group of requests: all its takes succeed or none. */
    public List<CounterReply> count(
            List<CounterRequest> group, long incarnation, long nowMicros, Function<Limit, FloorOffer> floors) {
        requireCurrent(incarnation);
        // A group of one needs no second look.
        boolean refused = group.size() > 1 && isRefused(group, nowMicros, floors);
        List<CounterReply> replies = new ArrayList<>(group.size());
        for (CounterRequest request : group) {
            boolean looks = refused && request instanceof Take;
            replies.add(
                    isGlobal(request.limit())
                            ? countGlobal(request, looks, nowMicros, floors)
                            : countRegional(request, looks, nowMicros));
        }
        return replies;
    }

    /** Whether a take of the group does not fit; takes of shadow limits are not asked. */
    public boolean isRefused(List<CounterRequest> group, long nowMicros, Function<Limit, FloorOffer> floors) {
        for (CounterRequest request : group) {
            if (request instanceof Take take
                    && !take.limit().policy().enforcement().isShadow()
                    && !look(take, nowMicros, floors).admitted()) {
                return true;
            }
        }
        return false;
    }

    private CounterReply look(Take take, long nowMicros, Function<Limit, FloorOffer> floors) {
        Limit limit = take.limit();
        return isGlobal(limit)
                ? GlobalCounter.look(take, state(limit), nowMicros, floors.apply(limit))
                        .reply()
                : peek(limit, take.cost(), nowMicros);
    }

    private CounterReply countRegional(CounterRequest request, boolean looks, long nowMicros) {
        Limit limit = request.limit();
        if (looks && request instanceof Take take) {
            return peek(limit, take.cost(), nowMicros);
        }
        RegionalCounter counted = RegionalCounter.of(List.of(request), List.of(counter(limit)), nowMicros);
        counters.put(CounterId.of(limit), counted.states().get(0));
        return counted.replies().get(0);
    }

    private CounterReply peek(Limit limit, long cost, long nowMicros) {
        return RegionalCounter.of(List.of(new Peek(limit, cost)), List.of(counter(limit)), nowMicros)
                .replies()
                .get(0);
    }

    private CounterReply countGlobal(
            CounterRequest request, boolean looks, long nowMicros, Function<Limit, FloorOffer> floors) {
        Limit limit = request.limit();
        StateId id = id(limit);
        GlobalLimitState before = state(limit);
        FloorOffer offer = floors.apply(limit);
        if (looks && request instanceof Take take) {
            GlobalCounter looked = GlobalCounter.look(take, before, nowMicros, offer);
            if (looked.reply().admitted()) {
                put(id, looked.state());
                return looked.reply();
            }
        }
        GlobalCounter counted = GlobalCounter.of(request, before, nowMicros, offer);
        put(id, counted.state());
        mark(request, before, counted, nowMicros);
        return counted.reply();
    }

    /** Marks accounts for reporting: that of the running window by what the request changed, that of another window at once. */
    private void mark(CounterRequest request, GlobalLimitState before, GlobalCounter counted, long nowMicros) {
        Limit limit = request.limit();
        long running = limit.quota().window().startMicros(nowMicros);
        for (Map.Entry<Long, WindowAccount> each : counted.state().accounts().entrySet()) {
            long units = changed(before.account(each.getKey()), each.getValue());
            if (each.getKey() != running && units > 0) {
                mark(window(limit, each.getKey())).change(units, 0, true, nowMicros);
            }
        }
        WindowAccount was = before.account(running);
        WindowAccount is = counted.state().account(running);
        CounterReply reply = counted.reply();
        long changed = changed(was, is);
        boolean urgent = request instanceof Peek && !before.accounts().containsKey(running);
        boolean requested = false;
        if (request instanceof Take take) {
            requested = SharingMode.of(limit.policy()) == SharingMode.ESCROW && take.requested() > 0;
            changed = reply.admitted() && take.cost() > 0 ? take.cost() + reply.ahead() : 0;
            urgent = !reply.admitted() && isDemand(take, is);
        }
        if (changed > 0 || urgent || requested) {
            mark(window(limit, running)).ownLimit = ownLimit(limit);
        }
        if (changed > 0 || urgent) {
            mark(window(limit, running))
                    .change(Math.max(1, changed), reply.standing().remaining(), urgent, nowMicros);
        }
    }

    private static long changed(WindowAccount was, WindowAccount is) {
        return is.taken() - was.taken() + is.returned() - was.returned();
    }

    /** Whether a refused take may be granted later, as far as the region knows. */
    private static boolean isDemand(Take take, WindowAccount account) {
        Limit limit = take.limit();
        return SharingMode.of(limit.policy()) == SharingMode.ESCROW
                && take.cost() > 0
                && take.cost() <= limit.quota().capacity() - account.used();
    }

    private static long ownLimit(Limit limit) {
        return limit.quota().limit() == limit.policy().limitSpec().limit()
                ? 0
                : limit.quota().capacity();
    }

    /**
     * Takes accounts that are due to be reported, of every incarnation. They are due again when the claim ends, unless they are
     * {@link #reported}.
     */
    public List<Due> due(long incarnation, int max, long nowMicros) {
        requireCurrent(incarnation);
        List<Due> due = new ArrayList<>();
        for (Map.Entry<AccountId, ReportMark> each : marks.entrySet()) {
            AccountId id = each.getKey();
            ReportMark mark = each.getValue();
            if (due.size() < max && mark.isDue(nowMicros)) {
                long claim = mark.claim(nowMicros);
                due.add(new Due(id.window, id.incarnation, account(id.incarnation, id.window), mark.ownLimit, claim));
            }
        }
        return due;
    }

    /** Takes one account of those that are due, as {@link #due} takes them all. */
    public void claim(long ofIncarnation, LimitWindow window, long nowMicros) {
        ReportMark mark = marks.get(new AccountId(ofIncarnation, window));
        if (mark == null || !mark.isDue(nowMicros)) {
            throw new IllegalArgumentException("window must be due to be reported, got " + window);
        }
        mark.claim(nowMicros);
    }

    /** The log has this account as it was claimed. */
    public void reported(long incarnation, LimitWindow window, long ofIncarnation, long claim, long nowMicros) {
        requireCurrent(incarnation);
        ReportMark mark = marks.get(new AccountId(ofIncarnation, window));
        if (mark != null) {
            mark.reported(claim, nowMicros);
        }
    }

    /** Applies a verdict on this incarnation. What it calls back is given back, and that is due to be reported. */
    public void apply(
            long incarnation, LimitWindow window, long countedUntilMicros, WindowVerdict verdict, long nowMicros) {
        requireCurrent(incarnation);
        StateId id = new StateId(incarnation, window.policyId(), window.key());
        GlobalLimitState before = state(id);
        long start = window.startMicros();
        GlobalLimitState after = before.apply(start, countedUntilMicros, verdict, nowMicros);
        put(id, after);
        WindowAccount was = before.account(start);
        WindowAccount is = after.account(start);
        if (is.grantReturned() > was.grantReturned() || is.floor() != was.floor()) {
            ReportMark mark = mark(window);
            mark.ownLimit = verdict.limit();
            mark.change(Math.max(1, is.grantReturned() - was.grantReturned()), 0, true, nowMicros);
        }
    }

    private static boolean isGlobal(Limit limit) {
        return limit.policy().coordination().scope() == Scope.GLOBAL;
    }

    private static LimitWindow window(Limit limit, long start) {
        return new LimitWindow(limit.policy().id(), limit.key(), start);
    }

    private ReportMark mark(LimitWindow window) {
        return marks.computeIfAbsent(new AccountId(incarnation(), window), absent -> new ReportMark());
    }

    private StateId id(Limit limit) {
        return new StateId(incarnation(), limit.policy().id(), limit.key());
    }

    private GlobalLimitState state(Limit limit) {
        return state(id(limit));
    }

    private void put(StateId id, GlobalLimitState state) {
        if (!state.isUntouched() || states.containsKey(id)) {
            states.put(id, state);
        }
    }

    /** Of every incarnation, in the order in which they were met. */
    public Map<StateId, GlobalLimitState> states() {
        return Collections.unmodifiableMap(states);
    }

    /** State of a global limit; one without accounts if it was not met. */
    public GlobalLimitState state(StateId id) {
        GlobalLimitState known = states.get(id);
        return known == null ? GlobalLimitState.startedAt(id.incarnation) : known;
    }

    public WindowAccount account(long incarnation, LimitWindow window) {
        return state(new StateId(incarnation, window.policyId(), window.key())).account(window.startMicros());
    }

    /** Regional counter of a limit. */
    public CounterState counter(Limit limit) {
        return counters.getOrDefault(CounterId.of(limit), CounterState.UNTOUCHED);
    }

    /** Units that a regional limit has left. */
    public long remaining(Limit limit, long nowMicros) {
        return peek(limit, limit.unitCost(), nowMicros).standing().remaining();
    }

    /** Forgets a regional counter, as Redis does when it expires. */
    public void forget(Limit limit) {
        counters.remove(CounterId.of(limit));
    }

    /** Forgets an account of this incarnation, as Redis does when it expires. */
    public void forget(LimitWindow window) {
        StateId id = new StateId(incarnation(), window.policyId(), window.key());
        states.put(id, state(id).without(window.startMicros()));
        marks.remove(new AccountId(incarnation(), window));
    }

    /** Forgets the counter that a global limit without aligned windows has, as Redis does when it expires. */
    public void forgetRate(String policyId, String key) {
        StateId id = new StateId(incarnation(), policyId, key);
        states.put(id, state(id).with(CounterState.UNTOUCHED));
    }

    /**
     * Report mark of an account: when it is due, and the changes since it was last claimed. A change that hardly matters waits for
     * {@value #HEARTBEAT_MILLIS} ms; a claim ends after {@value #CLAIM_MILLIS} ms, which is longer than Kafka's producer tries, so that no older
     * count is logged after a newer one.
     */
    public static final class ReportMark {
        public static final long HEARTBEAT_MILLIS = 1_000;
        public static final long CLAIM_MILLIS = 4_000;

        private Urgency urgency = Urgency.CLEAN;
        private long dueMillis;
        private long unreported;
        private long ownLimit;

        /** Urgency of the report. The scripts compare its codes, which are in this order. */
        public enum Urgency {
            CLEAN(0),
            LATER(1),
            NOW(2),
            CLAIMED(3);

            private final int code;

            Urgency(int code) {
                this.code = code;
            }

            public int code() {
                return code;
            }
        }

        private ReportMark copied() {
            ReportMark copy = new ReportMark();
            copy.urgency = urgency;
            copy.dueMillis = dueMillis;
            copy.unreported = unreported;
            copy.ownLimit = ownLimit;
            return copy;
        }

        private static long millis(long micros) {
            return Math.floorDiv(micros, 1_000);
        }

        /** Nothing waits for longer than a claim: a mark that seems to was set before the clock was set back. */
        private boolean isDue(long nowMicros) {
            long now = millis(nowMicros);
            return urgency != Urgency.CLEAN && (dueMillis <= now || dueMillis > now + CLAIM_MILLIS);
        }

        private void change(long units, long remaining, boolean urgent, long nowMicros) {
            unreported = WindowAccount.sum(unreported, units);
            mark(urgent || WindowAccount.matters(unreported, remaining), nowMicros);
        }

        private void mark(boolean now, long nowMicros) {
            Urgency wanted = now ? Urgency.NOW : Urgency.LATER;
            if (urgency.compareTo(wanted) < 0) {
                urgency = wanted;
                dueMillis = millis(nowMicros) + (now ? 0 : HEARTBEAT_MILLIS);
            }
        }

        private long claim(long nowMicros) {
            urgency = Urgency.CLAIMED;
            unreported = 0;
            dueMillis = millis(nowMicros) + CLAIM_MILLIS;
            return dueMillis;
        }

        /** A report of an earlier claim may follow a newer one in the log, so the newest count is reported once more. */
        private void reported(long claim, long nowMicros) {
            boolean ours = urgency == Urgency.CLAIMED && dueMillis == claim;
            if (ours) {
                urgency = Urgency.CLEAN;
            } else {
                unreported++;
            }
            if (!ours || unreported > 0) {
                mark(true, nowMicros);
            }
        }
    }
}
