package io.meridian.drill.runner;

import io.meridian.drill.history.Event.LeaderObserved;
import io.meridian.drill.history.Event.LoopSampled;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.drill.targets.DrillTarget.Policies.Loop;
import io.meridian.drill.targets.DrillTarget.Shards.Lead;
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

/** Monitor of leaders and loops that polls them a few times a second, each on a thread of its own, so that neither delays the other. */
final class ControlPlaneMonitor implements AutoCloseable {
    private static final long LOOPS_EVERY_MILLIS = 500;
    /** A leader writes a beat twice a second; after this long without one a partition counts as without a leader. */
    private static final long BEAT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final double SILENT_MILLIS_MAX = 2_000;

    private final DrillTarget target;
    private final EventRecorder recorder;
    private final ActiveFaults faults;
    private final Duration leadersEvery;
    private final Map<Integer, Beat> beats = new HashMap<>();
    private final Map<Integer, LeaderObserved> seen = new HashMap<>();
    private final Map<String, Loop> loops = new HashMap<>();
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "watch");
        thread.setDaemon(true);
        return thread;
    });

    private record Beat(String at, long seenNanos) {}

    ControlPlaneMonitor(DrillTarget target, EventRecorder recorder, ActiveFaults faults, Duration leadersEvery) {
        this.target = target;
        this.recorder = recorder;
        this.faults = faults;
        this.leadersEvery = leadersEvery;
    }

    void start() {
        var unusedLeaders =
                executor.scheduleWithFixedDelay(this::pollLeaders, 0, leadersEvery.toMillis(), TimeUnit.MILLISECONDS);
        var unusedLoops =
                executor.scheduleWithFixedDelay(this::pollLoops, 0, LOOPS_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void pollLeaders() {
        try {
            leads(target.shards().leads());
        } catch (IOException | RuntimeException e) {
            leads(List.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records changes of leaders. A partition that is missing had no beat. */
    private synchronized void leads(List<Lead> leads) {
        long now = recorder.nowNanos();
        for (Lead lead : leads) {
            Beat last = beats.get(lead.partition());
            if (last == null || !last.at.equals(lead.beatAt())) {
                beats.put(lead.partition(), new Beat(lead.beatAt(), now));
                recordChange(new LeaderObserved(now, lead.partition(), lead.leader(), lead.epoch()));
            }
        }
        beats.forEach((partition, beat) -> {
            if (now - beat.seenNanos > BEAT_NANOS_MAX) {
                recordChange(new LeaderObserved(now, partition, "", epoch(partition)));
            }
        });
        if (allPartitionsLed()) {
            faults.ledBy(seen.values().stream().map(LeaderObserved::leader).collect(Collectors.toSet()));
        }
    }

    private long epoch(int partition) {
        LeaderObserved last = seen.get(partition);
        return last == null ? 0 : last.epoch();
    }

    private void recordChange(LeaderObserved now) {
        LeaderObserved before = seen.put(now.partition(), now);
        if (before == null || !before.leader().equals(now.leader()) || before.epoch() != now.epoch()) {
            recorder.accept(now);
        }
    }

    private void pollLoops() {
        try {
            loops(target.policies().loops());
        } catch (IOException | RuntimeException e) {
            loops(List.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void loops(List<Loop> reported) {
        loops.clear();
        Set<String> regions = Set.copyOf(target.regions());
        for (Loop loop : reported) {
            if (regions.contains(loop.region())) {
                loops.put(loop.region(), loop);
                recorder.accept(new LoopSampled(
                        recorder.nowNanos(), loop.region(), loop.p99Millis(), loop.maxMillis(), loop.silentMillis()));
            }
        }
    }

    /** Whether every partition has a leader with a recent beat. */
    synchronized boolean allPartitionsLed() {
        return !seen.isEmpty()
                && seen.values().stream().noneMatch(lead -> lead.leader().isEmpty());
    }

    /** Whether every region reports that it receives from its leaders. */
    synchronized boolean allRegionsReceive() {
        return loops.keySet().containsAll(target.regions())
                && loops.values().stream().allMatch(loop -> loop.silentMillis() < SILENT_MILLIS_MAX);
    }

    /** p99 of the slowest region; NaN if one reports none. */
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
