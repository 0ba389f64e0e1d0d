package io.meridian.simulation.redis;

import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionModel.Due;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.nodes.SimSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Scripts of a region's Redis: the region's model with the mutations of a simulation before and behind it. */
final class RegionScripts {
    private static final int DUE_MAX = 2_000;

    private final String region;
    private final SimRedis redis;
    private final Mutation mutation;
    private final InvariantChecker invariants;
    /** Grant returns that {@link Mutation#FAKE_GRANT_RETURNS} reports and goes on spending. */
    private final Map<RegionModel.StateId, Map<Long, Long>> fakeReturns = new HashMap<>();

    RegionScripts(String region, SimRedis redis, Mutation mutation, InvariantChecker invariants) {
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
    Reply count(List<CounterRequest> asked, long named, FloorOffers floors) {
        RegionModel model = redis.model();
        long incarnation = mutation == Mutation.NO_INCARNATION_CHECK ? model.incarnation() : named;
        long now = redis.clock.wallMicros();
        Function<Limit, FloorOffer> offers = limit -> floors.offer(limit, named);
        List<CounterRequest> group = withFakes(asked, incarnation, now);
        boolean refused = incarnation == model.incarnation() && model.isRefused(group, now, offers);
        long takenBefore = refused ? taken(group, model, now) : 0;
        List<CounterReply> replies = model.count(group, incarnation, now, offers);
        if (refused) {
            replies = charged(group, replies, model, incarnation, now, offers);
            if (group.stream().allMatch(CounterRequest.Take.class::isInstance)) {
                invariants.refused(region, group, takenBefore, taken(group, model, now));
            }
        }
        return new Reply(mutation == Mutation.NO_WINDOW_END ? longer(group, replies) : replies, now);
    }

    /** With a mutation that charges limits of a refused group, each of its takes counts by itself. */
    private List<CounterReply> charged(
            List<CounterRequest> group,
            List<CounterReply> replies,
            RegionModel model,
            long incarnation,
            long now,
            Function<Limit, FloorOffer> offers) {
        List<CounterReply> all = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            CounterRequest each = group.get(i);
            boolean charges = group.size() > 1
                    && each instanceof CounterRequest.Take
                    && replies.get(i).admitted()
                    && (mutation == Mutation.NO_ALL_OR_NOTHING
                            || (mutation == Mutation.NO_ALL_OR_NOTHING_REGIONAL && !isGlobal(each.limit())));
            all.add(
                    charges
                            ? model.count(List.of(each), incarnation, now, offers)
                                    .get(0)
                            : replies.get(i));
        }
        return all;
    }

    /** Units taken of a group's limits: of global limits by their accounts, of regional limits by what does not remain. */
    private static long taken(List<CounterRequest> group, RegionModel model, long now) {
        long taken = 0;
        for (CounterRequest request : group) {
            Limit limit = request.limit();
            taken += isGlobal(limit)
                    ? model.account(model.incarnation(), window(limit, now)).own()
                    : limit.quota().capacity() - model.remaining(limit, now);
        }
        return taken;
    }

    private static boolean isGlobal(Limit limit) {
        return limit.policy().coordination().scope() == Scope.GLOBAL;
    }

    private static LimitWindow window(Limit limit, long micros) {
        return new LimitWindow(
                limit.policy().id(), limit.key(), limit.quota().window().startMicros(micros));
    }

    private static List<CounterReply> longer(List<CounterRequest> group, List<CounterReply> replies) {
        List<CounterReply> longer = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            CounterReply reply = replies.get(i);
            Limit limit = group.get(i).limit();
            longer.add(
                    isGlobal(limit) && reply.ahead() > 0
                            ? new CounterReply(
                                    true,
                                    reply.standing(),
                                    0,
                                    reply.ahead(),
                                    limit.quota().window().endMicros(reply.untilMicros()),
                                    reply.globalUsage())
                            : reply);
        }
        return longer;
    }

    /** Takes that may overdraw what the region only pretends to have given back. */
    private List<CounterRequest> withFakes(List<CounterRequest> group, long incarnation, long now) {
        if (fakeReturns.isEmpty()) {
            return group;
        }
        return group.stream()
                .map(request -> request instanceof CounterRequest.Take take && take.overdraft() >= 0
                        ? new CounterRequest.Take(
                                take.limit(),
                                take.cost(),
                                take.ahead(),
                                take.horizonMicros(),
                                take.requested(),
                                take.overdraft() + fake(take.limit(), incarnation, now))
                        : request)
                .toList();
    }

    private long fake(Limit limit, long incarnation, long now) {
        RegionModel.StateId id =
                new RegionModel.StateId(incarnation, limit.policy().id(), limit.key());
        return fakeReturns
                .getOrDefault(id, Map.of())
                .getOrDefault(limit.quota().window().startMicros(now), 0L);
    }

    List<DueAccount> due(long incarnation, int max) {
        return redis.model().due(incarnation, Math.min(max, DUE_MAX), redis.clock.wallMicros()).stream()
                .map(this::account)
                .toList();
    }

    private DueAccount account(Due due) {
        WindowAccount account = due.account();
        return new DueAccount(
                due.window(),
                due.incarnation(),
                new UsageCount(account.taken(), account.returned()),
                due.ownLimit(),
                account.grantReturned(),
                account.refused(),
                mutation == Mutation.FLOORS_NOT_COUNTED ? Math.min(0, account.floor()) : account.floor(),
                account.requested(),
                SimSettings.KEYS.shard(due.window().policyId(), due.window().key()),
                Long.toString(due.claim()));
    }

    void reported(long incarnation, List<DueAccount> accounts) {
        long now = redis.clock.wallMicros();
        for (DueAccount each : accounts) {
            long claim = Long.parseLong(each.handle());
            redis.model().reported(incarnation, each.limit(), each.incarnation(), claim, now);
        }
    }

    /** Applies verdicts on the current incarnation, and drops all others. */
    void apply(long incarnation, List<VerdictRecord> verdicts) {
        redis.model().requireCurrent(incarnation);
        for (VerdictRecord each : verdicts) {
            if (each.incarnation().number() == incarnation || mutation == Mutation.GRANTS_OUTLIVE_INCARNATION) {
                apply(incarnation, each);
            }
        }
    }

    private void apply(long incarnation, VerdictRecord record) {
        LimitWindow window = record.limit();
        RegionModel model = redis.model();
        long before = model.account(incarnation, window).grantReturned();
        model.apply(
                incarnation,
                window,
                record.rule().countedUntilMicros(window.startMicros()),
                verdict(record),
                redis.clock.wallMicros());
        long back = model.account(incarnation, window).grantReturned() - before;
        if (back > 0 && mutation == Mutation.FAKE_GRANT_RETURNS && record.rule().sharing() == SharingMode.ESCROW) {
            fakeReturns
                    .computeIfAbsent(
                            new RegionModel.StateId(incarnation, window.policyId(), window.key()),
                            absent -> new HashMap<>())
                    .merge(window.startMicros(), back, Long::sum);
        }
    }

    private WindowVerdict verdict(VerdictRecord record) {
        return new WindowVerdict(
                record.epoch(),
                record.sequence(),
                mutation == Mutation.NO_VERDICTS ? 0 : record.usedElsewhere(),
                mutation != Mutation.NO_VERDICTS && record.blocked(),
                record.rule().policyVersion(),
                record.rule().limit(),
                mutatedGrant(record.granted()),
                mutation == Mutation.NO_RECALL ? VerdictRecord.KEEP_ALL : record.keep());
    }

    private long mutatedGrant(long granted) {
        return switch (mutation) {
            case HALVED_GRANTS -> granted / 2;
            case TRUNCATED_GRANTS -> granted - granted / 50;
            default -> granted;
        };
    }
}
