package io.meridian.simulation.redis;

import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
import io.meridian.model.lease.Turn;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Scope;
import io.meridian.model.share.Book;
import io.meridian.model.share.SharedTurn;
import io.meridian.model.share.Shelf;
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
    public Reply execute(List<Ask> group, long life, FloorOffers floors) {
        RegionData data = redis.data(life);
        long now = redis.clock.wallMicros();
        boolean refused = group.stream().anyMatch(ask -> isRefused(ask, data, floors, now));
        long takenBefore = refused ? taken(group, data, now) : 0;
        List<Told> told = new ArrayList<>(group.size());
        for (Ask ask : group) {
            boolean peeks = refused && ask instanceof Ask.Take && !isChargedThough(ask.limit());
            told.add(answer(ask, peeks, data, floors, now));
        }
        if (refused && group.stream().allMatch(Ask.Take.class::isInstance)) {
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
    private static long taken(List<Ask> group, RegionData data, long now) {
        long taken = 0;
        for (Ask ask : group) {
            Limit limit = ask.limit();
            taken += isShared(limit)
                    ? data.shelf(data.life, LimitId.of(limit))
                            .book(limit.terms().window().startMicros(now))
                            .own()
                    : limit.terms().capacity() - remaining(limit, data, now);
        }
        return taken;
    }

    private static long remaining(Limit limit, RegionData data, long now) {
        Ask.Peek peek = new Ask.Peek(limit, limit.unitCost());
        return Turn.of(List.of(peek), List.of(counter(data, limit)), now)
                .told()
                .get(0)
                .standing()
                .remaining();
    }

    private static boolean isShared(Limit limit) {
        return limit.policy().coordination().scope() == Scope.GLOBAL;
    }

    private static boolean isRefused(Ask ask, RegionData data, FloorOffers floors, long now) {
        if (!(ask instanceof Ask.Take take)
                || take.limit().policy().enforcement().isShadow()) {
            return false;
        }
        if (isShared(take.limit())) {
            return !turn(take, data.shelf(data.life, LimitId.of(take.limit())), data, floors, now)
                    .told()
                    .admitted();
        }
        return !Turn.of(List.of(take), List.of(counter(data, take.limit())), now)
                .told()
                .get(0)
                .admitted();
    }

    private static SharedTurn turn(Ask ask, Shelf before, RegionData data, FloorOffers floors, long now) {
        return SharedTurn.of(ask, before, now, floors.offer(ask.limit(), data.life));
    }

    private static CounterState counter(RegionData data, Limit limit) {
        return data.counters.getOrDefault(LimitId.of(limit), CounterState.UNTOUCHED);
    }

    private Told answer(Ask ask, boolean peeks, RegionData data, FloorOffers floors, long now) {
        Limit limit = ask.limit();
        if (!isShared(limit)) {
            Ask asked = peeks && ask instanceof Ask.Take take ? new Ask.Peek(limit, take.cost()) : ask;
            Turn turn = Turn.of(List.of(asked), List.of(counter(data, limit)), now);
            data.counters.put(LimitId.of(limit), turn.states().get(0));
            return turn.told().get(0);
        }
        Shelf before = data.shelf(data.life, LimitId.of(limit));
        SharedTurn turn = turn(ask, before, data, floors, now);
        if (peeks && turn.told().admitted() && ask instanceof Ask.Take take) {
            return turn(new Ask.Peek(limit, take.cost()), before, data, floors, now)
                    .told();
        }
        keep(ask, before, turn, data, now);
        return mutation == Mutation.NO_WINDOW_END && turn.told().ahead() > 0 ? longer(turn.told(), limit) : turn.told();
    }

    /** Whether a take was refused for lack of a grant that may still arrive. */
    private static boolean waits(Ask.Take take, Told told) {
        Told.Shared shared = told.shared();
        return !told.admitted()
                && shared != null
                && take.cost() <= take.limit().terms().capacity() - shared.own() - shared.elsewhere();
    }

    private static Told longer(Told told, Limit limit) {
        long next = limit.terms().window().endMicros(told.untilMicros());
        return new Told(true, told.standing(), 0, told.ahead(), next, told.shared());
    }

    /** Stores changed accounts, and marks them for reporting. */
    private static void keep(Ask ask, Shelf before, SharedTurn turn, RegionData data, long now) {
        Limit limit = ask.limit();
        data.shelves.put(new RegionData.ShelfId(data.life, LimitId.of(limit)), turn.shelf());
        turn.shelf().books().forEach((start, book) -> {
            Book was = before.book(start);
            boolean met = !before.books().containsKey(start);
            if (book.equals(was) && !met) {
                return;
            }
            boolean urgent = met
                    || book.refused() > was.refused()
                    || start != limit.terms().window().startMicros(now);
            long changed = Math.abs(book.taken() - was.taken()) + Math.abs(book.returned() - was.returned());
            boolean refusedOnly = changed == 0 && ask instanceof Ask.Take take && waits(take, turn.told());
            if (changed > 0 || urgent || refusedOnly) {
                LimitWindow window = new LimitWindow(limit.policy().id(), limit.key(), start);
                ReportMark mark = data.mark(data.life, window);
                mark.ownLimit = 0;
                mark.changed(Math.max(1, changed), turn.told().standing().remaining(), urgent || refusedOnly, now);
            }
        });
    }
}
