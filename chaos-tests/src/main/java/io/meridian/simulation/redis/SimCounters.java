package io.meridian.simulation.redis;

import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.RegionalCounter;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.usage.LimitWindow;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.redis.RegionData.ReportMark;
import java.util.ArrayList;
import java.util.List;

/** Counters of a region's Redis: the pure algorithms that the scripts are tested against. */
final class SimCounters {
    private final String region;
    private final SimRedis redis;
    private final Mutation mutation;
    private final InvariantChecker invariants;

    SimCounters(String region, SimRedis redis, Mutation mutation, InvariantChecker invariants) {
        this.region = region;
        this.redis = redis;
        this.mutation = mutation;
        this.invariants = invariants;
    }

    /**
     * Executes a group of requests.
     *
     * @param floors the region's floors, as the calling limiter knows them
     */
    public Reply execute(List<CounterRequest> group, long life, FloorOffers floors) {
        RegionData data = redis.data(life);
        long now = redis.clock.wallMicros();
        boolean refused = group.stream().anyMatch(ask -> isRefused(ask, data, floors, now));
        long takenBefore = refused ? taken(group, data, now) : 0;
        List<CounterReply> told = new ArrayList<>(group.size());
        for (CounterRequest ask : group) {
            boolean peeks = refused && ask instanceof CounterRequest.Take && !isChargedThough(ask.limit());
            told.add(answer(ask, peeks, data, floors, now));
        }
        if (refused && group.stream().allMatch(CounterRequest.Take.class::isInstance)) {
            invariants.refused(region, group, takenBefore, taken(group, data, now));
        }
        return new Reply(told, now);
    }

    /** Whether a mutation charges a limit of a refused group. */
    private boolean isChargedThough(Limit limit) {
        return mutation == Mutation.NO_ALL_OR_NOTHING
                || (mutation == Mutation.NO_ALL_OR_NOTHING_REGIONAL && !isShared(limit));
    }

    /** Units taken of a group's limits: of shared limits by their accounts, of regional limits by what does not remain. */
    private static long taken(List<CounterRequest> group, RegionData data, long now) {
        long taken = 0;
        for (CounterRequest ask : group) {
            Limit limit = ask.limit();
            taken += isShared(limit)
                    ? data.shelf(data.life, LimitId.of(limit))
                            .account(limit.quota().window().startMicros(now))
                            .own()
                    : limit.quota().capacity() - remaining(limit, data, now);
        }
        return taken;
    }

    private static long remaining(Limit limit, RegionData data, long now) {
        CounterRequest.Peek peek = new CounterRequest.Peek(limit, limit.unitCost());
        return RegionalCounter.of(List.of(peek), List.of(counter(data, limit)), now)
                .replies()
                .get(0)
                .standing()
                .remaining();
    }

    private static boolean isShared(Limit limit) {
        return limit.policy().coordination().scope() == Scope.GLOBAL;
    }

    private static boolean isRefused(CounterRequest ask, RegionData data, FloorOffers floors, long now) {
        if (!(ask instanceof CounterRequest.Take take)
                || take.limit().policy().enforcement().isShadow()) {
            return false;
        }
        if (isShared(take.limit())) {
            return !turn(take, data.shelf(data.life, LimitId.of(take.limit())), data, floors, now)
                    .reply()
                    .admitted();
        }
        return !RegionalCounter.of(List.of(take), List.of(counter(data, take.limit())), now)
                .replies()
                .get(0)
                .admitted();
    }

    private static GlobalCounter turn(
            CounterRequest ask, GlobalLimitState before, RegionData data, FloorOffers floors, long now) {
        return GlobalCounter.of(ask, before, now, floors.offer(ask.limit(), data.life));
    }

    private static CounterState counter(RegionData data, Limit limit) {
        return data.counters.getOrDefault(LimitId.of(limit), CounterState.UNTOUCHED);
    }

    private CounterReply answer(CounterRequest ask, boolean peeks, RegionData data, FloorOffers floors, long now) {
        Limit limit = ask.limit();
        if (!isShared(limit)) {
            CounterRequest asked = peeks && ask instanceof CounterRequest.Take take
                    ? new CounterRequest.Peek(limit, take.cost())
                    : ask;
            RegionalCounter turn = RegionalCounter.of(List.of(asked), List.of(counter(data, limit)), now);
            data.counters.put(LimitId.of(limit), turn.states().get(0));
            return turn.replies().get(0);
        }
        GlobalLimitState before = data.shelf(data.life, LimitId.of(limit));
        GlobalCounter turn = turn(ask, before, data, floors, now);
        if (peeks && turn.reply().admitted() && ask instanceof CounterRequest.Take take) {
            return turn(new CounterRequest.Peek(limit, take.cost()), before, data, floors, now)
                    .reply();
        }
        keep(ask, before, turn, data, now);
        return mutation == Mutation.NO_WINDOW_END && turn.reply().ahead() > 0
                ? longer(turn.reply(), limit)
                : turn.reply();
    }

    /** Whether a take was refused for lack of a grant that may still arrive. */
    private static boolean waits(CounterRequest.Take take, CounterReply told) {
        CounterReply.GlobalUsage shared = told.globalUsage();
        return !told.admitted()
                && shared != null
                && take.cost() <= take.limit().quota().capacity() - shared.own() - shared.usedElsewhere();
    }

    private static CounterReply longer(CounterReply told, Limit limit) {
        long next = limit.quota().window().endMicros(told.untilMicros());
        return new CounterReply(true, told.standing(), 0, told.ahead(), next, told.globalUsage());
    }

    /** Stores changed accounts, and marks them for reporting. */
    private static void keep(
            CounterRequest ask, GlobalLimitState before, GlobalCounter turn, RegionData data, long now) {
        Limit limit = ask.limit();
        data.shelves.put(new RegionData.ShelfId(data.life, LimitId.of(limit)), turn.state());
        turn.state().accounts().forEach((start, book) -> {
            WindowAccount was = before.account(start);
            boolean met = !before.accounts().containsKey(start);
            if (book.equals(was) && !met) {
                return;
            }
            boolean urgent = met
                    || book.refused() > was.refused()
                    || start != limit.quota().window().startMicros(now);
            long changed = Math.abs(book.taken() - was.taken()) + Math.abs(book.returned() - was.returned());
            boolean refusedOnly = changed == 0 && ask instanceof CounterRequest.Take take && waits(take, turn.reply());
            if (changed > 0 || urgent || refusedOnly) {
                LimitWindow window = new LimitWindow(limit.policy().id(), limit.key(), start);
                ReportMark mark = data.mark(data.life, window);
                mark.ownLimit = 0;
                mark.changed(Math.max(1, changed), turn.reply().standing().remaining(), urgent || refusedOnly, now);
            }
        });
    }
}
