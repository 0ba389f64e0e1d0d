package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.history.Event.LeaderSeen;
import io.meridian.chaos.drill.history.Event.LoopSeen;
import io.meridian.chaos.drill.world.Policies.Loop;
import io.meridian.chaos.drill.world.Shards.Lead;
import io.meridian.chaos.drill.world.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Looks at leaders and loops a few times a second, each on a thread of its own: whoever does not answer holds up nobody else. */
final class Watch implements AutoCloseable {
    private static final long LOOPS_EVERY_MILLIS = 500;
    /** A leader beats twice a second; one that was not heard for this long does not lead. */
    private static final long BEAT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final double SILENT_MILLIS_MAX = 2_000;

    private final Target target;
    private final Recorder recorder;
    private final Faults faults;
    private final Duration leadersEvery;
    private final Map<Integer, Beat> beats = new HashMap<>();
    private final Map<Integer, LeaderSeen> seen = new HashMap<>();
    private final Map<String, Loop> loops = new HashMap<>();
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "watch");
        thread.setDaemon(true);
        return thread;
    });

    private record Beat(String at, long heardNanos) {}

    Watch(Target target, Recorder recorder, Faults faults, Duration leadersEvery) {
        this.target = target;
        this.recorder = recorder;
        this.faults = faults;
        this.leadersEvery = leadersEvery;
    }

    void start() {
        var unusedLeaders =
                executor.scheduleWithFixedDelay(this::lookAtLeaders, 0, leadersEvery.toMillis(), TimeUnit.MILLISECONDS);
        var unusedLoops =
                executor.scheduleWithFixedDelay(this::lookAtLoops, 0, LOOPS_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void lookAtLeaders() {
        try {
            leads(target.shards().leads());
        } catch (IOException | RuntimeException e) {
            leads(List.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Of partitions that nobody tells of, nobody was heard. */
    private synchronized void leads(List<Lead> leads) {
        long now = recorder.nowNanos();
        for (Lead lead : leads) {
            Beat last = beats.get(lead.partition());
            if (last == null || !last.at.equals(lead.beatAt())) {
                beats.put(lead.partition(), new Beat(lead.beatAt(), now));
                tell(new LeaderSeen(now, lead.partition(), lead.leader(), lead.epoch()));
            }
        }
        beats.forEach((partition, beat) -> {
            if (now - beat.heardNanos > BEAT_NANOS_MAX) {
                tell(new LeaderSeen(now, partition, "", epoch(partition)));
            }
        });
        if (areLed()) {
            faults.ledBy(seen.values().stream().map(LeaderSeen::leader).collect(Collectors.toSet()));
        }
    }

    private long epoch(int partition) {
        LeaderSeen last = seen.get(partition);
        return last == null ? 0 : last.epoch();
    }

    private void tell(LeaderSeen now) {
        LeaderSeen before = seen.put(now.partition(), now);
        if (before == null || !before.leader().equals(now.leader()) || before.epoch() != now.epoch()) {
            recorder.accept(now);
        }
    }

    private void lookAtLoops() {
        try {
            loops(target.policies().loops());
        } catch (IOException | RuntimeException e) {
            loops(List.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void loops(List<Loop> told) {
        loops.clear();
        Set<String> regions = Set.copyOf(target.regions());
        for (Loop loop : told) {
            if (regions.contains(loop.region())) {
                loops.put(loop.region(), loop);
                recorder.accept(new LoopSeen(
                        recorder.nowNanos(), loop.region(), loop.p99Millis(), loop.maxMillis(), loop.silentMillis()));
            }
        }
    }

    /** Whether every partition has a leader that was just heard of. */
    synchronized boolean areLed() {
        return !seen.isEmpty()
                && seen.values().stream().noneMatch(lead -> lead.leader().isEmpty());
    }

    /** Whether every region says that it hears of the centre. */
    synchronized boolean areLooped() {
        return loops.keySet().containsAll(target.regions())
                && loops.values().stream().allMatch(loop -> loop.silentMillis() < SILENT_MILLIS_MAX);
    }

    /** The slowest region's p99, NaN if one does not say. */
    synchronized double slowestMillis() {
        return target.regions().stream()
                .mapToDouble(
                        region -> loops.containsKey(region) ? loops.get(region).p99Millis() : Double.NaN)
                .max()
                .orElse(Double.NaN);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
