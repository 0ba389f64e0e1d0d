package io.meridian.simulation;

import io.meridian.simulation.kafka.SimKafka;
import io.meridian.simulation.kafka.SimKafka.SimTransaction;
import io.meridian.simulation.kafka.SimKafka.VerdictLog;
import io.meridian.simulation.nodes.SimSyncReplica;
import io.meridian.simulation.nodes.TransactionWriter;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.simulation.world.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Death of a leader, between two transactions or within one, and the time until another leads in its place. */
final class Takeover {
    private static final long SETTLED_MICROS = 4_000_000;
    private static final long GIVEN_UP_MICROS = 30_000_000;
    private static final long LOOK_MICROS = 1_000;

    private final EvenLoad load;
    private final SimWorld world;
    private final SplittableRandom random;

    Takeover(EvenLoad load, SplittableRandom random) {
        this.load = load;
        this.world = load.world;
        this.random = random;
    }

    /** Of each partition that the leader led, the time from its death to the first commit of another in that partition. */
    List<Long> micros() {
        load.until(SETTLED_MICROS + random.nextLong(1_000_000));
        SimSyncReplica leader = world.replicas.stream()
                .filter(each -> each.leads(0))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("partition 0 has no leader before anybody is killed"));
        List<Integer> led = IntStream.range(0, SimKafka.PARTITIONS)
                .filter(leader::leads)
                .boxed()
                .toList();
        kill(leader);
        long died = world.nowMicros();
        List<Long> ends =
                led.stream().map(each -> world.kafka.verdicts(each).end()).toList();
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < led.size(); i++) {
            times.add(-1L);
        }
        while (times.contains(-1L) && world.nowMicros() - died < GIVEN_UP_MICROS) {
            load.until(world.nowMicros() - SimSchedule.START_MICROS + LOOK_MICROS);
            for (int i = 0; i < led.size(); i++) {
                if (times.get(i) < 0 && isLedByAnother(world.kafka.verdicts(led.get(i)), ends.get(i), leader)) {
                    times.set(i, world.nowMicros() - died);
                }
            }
        }
        times.replaceAll(each -> each < 0 ? Long.MAX_VALUE : each);
        return times;
    }

    private void kill(SimSyncReplica leader) {
        TransactionWriter.CrashPoint[] points = TransactionWriter.CrashPoint.values();
        TransactionWriter.CrashPoint point = points[random.nextInt(points.length)];
        if (point == TransactionWriter.CrashPoint.NONE) {
            leader.kill();
        } else {
            leader.crashAt(point, true);
        }
        while (!leader.isDead()) {
            world.schedule.step(Long.MAX_VALUE);
        }
    }

    private static boolean isLedByAnother(VerdictLog log, long from, SimSyncReplica leader) {
        for (long offset = from; offset < log.end(); offset++) {
            SimTransaction transaction = log.get(offset).transaction();
            if (transaction.committed && !transaction.replica.equals(leader.name)) {
                return true;
            }
        }
        return false;
    }
}
