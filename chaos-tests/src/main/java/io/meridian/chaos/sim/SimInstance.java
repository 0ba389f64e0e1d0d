package io.meridian.chaos.sim;

import io.meridian.limiter.decide.InstanceCore;
import io.meridian.limiter.decide.RegionAway;
import io.meridian.limiter.decide.RegionReborn;
import io.meridian.limiter.decide.Ruling;
import io.meridian.limiter.decide.Usage;
import io.meridian.limiter.fallback.FallbackLimiter;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.usage.CentreContact;
import io.meridian.limiter.usage.RegionFloors;
import io.meridian.limiter.usage.UsageCore;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.VerdictRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A limiter: production's decisions, reports and verdicts, with Redis and Kafka at the other ends of its links. */
final class SimInstance {
    private static final long REPORT_MICROS = SimSettings.micros(SimSettings.USAGE.interval());
    private static final long UPKEEP_MICROS = 100_000;
    private static final long POLL_MICROS = 20_000;
    private static final long LEAVE_MICROS = 400_000;
    private static final long LATE_MICROS = 2_500_000;
    private static final long DRAIN_LOOK_MICROS = 10_000;
    private static final int REGIONS_MAX = SimSettings.sync("any").regionsMax();

    final SimRules rules;
    final RegionLink redis;
    private final Schedule schedule;
    private final SimKafka kafka;
    private final SplittableRandom random;
    private final Broken broken;
    private final InstanceCore core;
    private final UsageCore usage;
    private final RegionFloors floors;
    private final SimFetch fetch;
    private final Map<Integer, Long> positions = new HashMap<>();
    private boolean dead;
    private boolean stopping;
    private int unanswered;
    private long appliedMicros;

    SimInstance(
            String region,
            Schedule schedule,
            SimKafka kafka,
            Link link,
            RegionLink redis,
            SimRules rules,
            SimClock clock,
            SplittableRandom random,
            Broken broken) {
        this.schedule = schedule;
        this.kafka = kafka;
        this.redis = redis;
        this.rules = rules;
        this.random = random;
        this.broken = broken;
        LimiterMetrics metrics = SimSettings.limiterMetrics();
        CentreContact contact = new CentreContact(SimSettings.USAGE, SimSettings.KEYS, clock, metrics);
        contact.partitions(SimKafka.PARTITIONS);
        core = new InstanceCore(
                new InstanceCore.Ports(
                        rules,
                        redis,
                        fallback(metrics, broken),
                        contact,
                        Usage.UNTOLD,
                        (millis, task) -> schedule.after(TimeUnit.MILLISECONDS.toMicros(millis), alive(task)),
                        clock,
                        this::lost),
                broken == Broken.NO_GRANT_WAIT ? SimSettings.LEASES_WITHOUT_WAITING : SimSettings.LEASES,
                metrics);
        SimProducer producer = new SimProducer(schedule, kafka, link, random, broken, this::isDead);
        usage = new UsageCore(
                region, SimSettings.USAGE, redis, rules, producer, core.verdicts(), contact, core.clock(), metrics);
        fetch = new SimFetch(schedule, kafka, link, this::found, this::hear);
        floors = new RegionFloors(region, SimSettings.KEYS, core.clock()::nowMicros);
        floors.partitions(SimKafka.PARTITIONS);
        redis.of(core, broken == Broken.OVERLAPPING_FLOORS ? this::unbounded : floors);
        loop(REPORT_MICROS, this::report);
        loop(UPKEEP_MICROS, () -> {
            redis.connect();
            core.upkeep();
        });
        loop(POLL_MICROS, fetch::poll);
    }

    private static FallbackLimiter fallback(LimiterMetrics metrics, Broken broken) {
        return broken != Broken.NO_SETTLING
                ? new FallbackLimiter(SimSettings.FALLBACK, metrics)
                : new FallbackLimiter(SimSettings.FALLBACK, metrics) {
                    @Override
                    public List<CounterRequest.Charge> owed(int max) {
                        return List.of();
                    }
                };
    }

    /** A method of its own, because the core that tells it is there before those who report. */
    private void lost(RegionReborn reborn) {
        usage.lost(reborn);
    }

    private Runnable alive(Runnable task) {
        return () -> {
            if (!dead) {
                task.run();
            }
        };
    }

    private void loop(long micros, Runnable task) {
        schedule.after(random.nextLong(micros), () -> again(micros, task));
    }

    private void again(long micros, Runnable task) {
        if (!dead) {
            task.run();
            schedule.after(micros, () -> again(micros, task));
        }
    }

    boolean isDead() {
        return dead;
    }

    /** Whether there is something that it was asked and has not answered, or a stop that it has not brought to an end. */
    boolean isBusy() {
        return !dead && (unanswered > 0 || stopping);
    }

    boolean isServing() {
        return !dead && !stopping;
    }

    CompletionStage<Ruling> check(Check check) {
        unanswered++;
        return core.check(check).whenComplete((ruling, failure) -> unanswered--);
    }

    /** As if its machine lost power. */
    void kill() {
        dead = true;
        redis.die();
    }

    /**
     * Is asked no more, answers what it was asked, gives everything back, reports, and ends.
     *
     * @param lost hears that not everything could be given back
     */
    void stop(Runnable lost) {
        if (!stopping) {
            stopping = true;
            leaveOnceAllIsAnswered(lost);
        }
    }

    private void leaveOnceAllIsAnswered(Runnable lost) {
        if (dead) {
            return;
        }
        if (unanswered > 0) {
            schedule.after(DRAIN_LOOK_MICROS, () -> leaveOnceAllIsAnswered(lost));
            return;
        }
        if (broken == Broken.NO_HANDING_BACK) {
            kill();
            return;
        }
        CompletableFuture<Void> back = core.leave();
        schedule.after(LEAVE_MICROS, alive(() -> {
            if (!back.isDone() || back.isCompletedExceptionally()) {
                lost.run();
            }
            report();
            kill();
        }));
    }

    private void report() {
        if (broken == Broken.NO_CARE) {
            throw new IllegalStateException("as if a limiter had been written without care");
        }
        try {
            usage.report();
        } catch (ExecutionException | TimeoutException away) {
            throwIfOurs(away);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** That Redis is away is expected; anything else that a round fails with is a crash. */
    private static void throwIfOurs(Exception away) {
        if (!(away.getCause() instanceof RegionAway)) {
            throw new IllegalStateException(away);
        }
    }

    private void hear(Runnable batch) {
        if (!dead) {
            batch.run();
            if (broken != Broken.LATE_VERDICTS || schedule.nowMicros() >= appliedMicros + LATE_MICROS) {
                appliedMicros = schedule.nowMicros();
                apply();
            }
        }
    }

    private List<Runnable> found() {
        List<Runnable> batch = new ArrayList<>();
        for (int p = 0; p < SimKafka.PARTITIONS; p++) {
            int partition = p;
            VerdictLog log = kafka.verdicts(p);
            long from = positions.getOrDefault(p, 0L);
            long stable = log.stable(from);
            for (long i = from; i < stable; i++) {
                VerdictLog.Entry entry = log.get(i);
                long next = i + 1;
                batch.add(() -> {
                    if (positions.getOrDefault(partition, 0L) == next - 1) {
                        positions.put(partition, next);
                        take(partition, entry);
                    }
                });
            }
        }
        return batch;
    }

    private void take(int partition, VerdictLog.Entry entry) {
        if (entry.marker() || !entry.transaction().committed) {
            return;
        }
        usage.heard(partition);
        if (entry.floor() != null) {
            floors.heard(partition, entry.floor());
        }
        VerdictRecord verdict = entry.verdict();
        if (verdict != null) {
            usage.heard(redis.life().isPresent() && broken == Broken.NO_BURNING ? inherited(verdict) : verdict);
        }
    }

    /** A floor in every window, also where the right of an earlier incarnation holds. */
    private FloorOffer unbounded(Limit limit, long life) {
        FloorRight right = new FloorRight(new RegionIncarnation("any", life), 0, REGIONS_MAX, 0, Long.MAX_VALUE, 0);
        return new FloorOffer(right.unitsMax(limit.quota().capacity()), 0, Long.MAX_VALUE);
    }

    /** What was said to a life that is over, as if it were said to this one. */
    private VerdictRecord inherited(VerdictRecord said) {
        return new VerdictRecord(
                said.limit(),
                new RegionIncarnation(said.incarnation().region(), redis.life().orElseThrow()),
                said.epoch(),
                said.sequence(),
                said.rule(),
                said.usedElsewhere(),
                said.blocked(),
                said.granted(),
                said.keep(),
                said.echoMicros(),
                said.ratePerSecond());
    }

    private void apply() {
        try {
            usage.apply();
        } catch (ExecutionException | TimeoutException away) {
            throwIfOurs(away);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
