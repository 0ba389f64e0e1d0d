package io.meridian.simulation;

import io.meridian.model.usage.LimitWindow;
import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.simulation.invariants.AdmissionLedger;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.nodes.SimLimiter;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.simulation.world.SimWorld;
import io.meridian.simulation.world.SimWorld.SimRegion;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Load of a million requests per second over ten million keys in five regions, of which a sample is simulated. Keys are independent, so the
 * control-plane traffic of the sample scales to all keys. The request rates of keys have a Pareto distribution: most are cold, few are hot.
 */
public final class ScaleScenario {
    static final long REQUESTS_PER_SECOND = 1_000_000;
    public static final long KEYS = 10_000_000;
    private static final int REGIONS = 5;
    private static final List<Long> FROM_THE_START = Collections.nCopies(REGIONS, 0L);
    private static final List<Boolean> NONE_QUIET = Collections.nCopies(REGIONS, false);
    private static final int WINDOW_SECONDS = 30;
    private static final long SECOND_MICROS = 1_000_000;
    private static final long LIMIT = 20;
    private static final double PARETO = 1.3;
    /** Rate of the hottest key, as a multiple of the mean. */
    private static final double HOTTEST = 500;

    private final int sample;
    private final SimWorld world;
    private final SplittableRandom random;
    private boolean over;

    /**
     * Figures of one policy, over the windows with a demand of at least one and a half times the limit.
     *
     * @param wanted number of these windows
     * @param above admissions above the limits, as a share of the limits
     * @param worst largest admission in a window, as a share of its limit
     * @param used admissions up to the limits, as a share of the limits
     */
    public record Kept(String policy, long wanted, double above, double worst, double used) {}

    /** Figures of all keys, per second. */
    public record Figures(
            int sample,
            long seconds,
            long checks,
            List<Kept> kept,
            double usageMessages,
            double usageBytes,
            double verdictMessages,
            double verdictBytes) {}

    private ScaleScenario(int sample, long seed) {
        this.sample = sample;
        SimPolicies policies = new SimPolicies(1, LIMIT, LIMIT, LIMIT, LIMIT, WINDOW_SECONDS, WINDOW_SECONDS);
        world = new SimWorld(
                new Scenario(seed, true, REGIONS, 1, 1, policies, 1, 1, 60_000, FROM_THE_START, NONE_QUIET, List.of()),
                Mutation.NONE);
        random = new SplittableRandom(seed);
    }

    /**
     * Runs the load.
     *
     * @param sample number of keys for each simulated one
     */
    public static Figures play(int sample, long seed) {
        return new ScaleScenario(sample, seed).play();
    }

    private Figures play() {
        int keys = Math.toIntExact(KEYS / sample);
        double mean = (double) REQUESTS_PER_SECOND / KEYS;
        double[] rates = new double[keys];
        double sum = 0;
        for (int i = 0; i < keys; i++) {
            rates[i] = Math.min(HOTTEST, Math.pow(1 - random.nextDouble(), -1 / PARETO));
            sum += rates[i];
        }
        for (int i = 0; i < keys; i++) {
            String policy = i % 2 == 0 ? SimPolicies.ESCROW : SimPolicies.CONVERGE;
            next(policy, "u" + i, rates[i] / sum * keys * mean);
        }
        long seconds = 3L * WINDOW_SECONDS;
        long until = SimSchedule.START_MICROS + seconds * SECOND_MICROS;
        while (world.schedule.step(until)) {
            world.throwIfViolated();
        }
        over = true;
        InvariantChecker.Tally tally = world.invariants.tally();
        double perSecond = (double) sample / seconds;
        return new Figures(
                sample,
                seconds,
                tally.allowed + tally.denied,
                List.of(kept(SimPolicies.ESCROW), kept(SimPolicies.CONVERGE)),
                tally.reports * perSecond,
                tally.reportBytes * perSecond,
                tally.verdicts * perSecond,
                tally.verdictBytes * perSecond);
    }

    private void next(String policy, String user, double perSecond) {
        double gap = -Math.log(1 - random.nextDouble()) / perSecond;
        world.schedule.after((long) (gap * SECOND_MICROS), () -> {
            if (!over) {
                SimRegion region = world.regions().get(random.nextInt(REGIONS));
                long askedMicros = region.redis.clock.wallMicros();
                SimLimiter instance = region.instances.get(0);
                instance.check(SimPolicies.check(policy, user, 1)).whenComplete((ruling, failure) -> {
                    if (failure == null) {
                        world.answered(region, instance, ruling, askedMicros);
                    } else {
                        world.failed(failure);
                    }
                });
                next(policy, user, perSecond);
            }
        });
    }

    /** Figures of whole windows; the last one is not over. */
    private Kept kept(String policy) {
        long wanted = 0;
        long above = 0;
        long worst = 0;
        long used = 0;
        long lastStart = SimSchedule.START_MICROS + 2L * WINDOW_SECONDS * SECOND_MICROS;
        for (Map.Entry<LimitWindow, AdmissionLedger> each :
                world.invariants.accounts().entrySet()) {
            AdmissionLedger account = each.getValue();
            boolean whole = each.getKey().startMicros() < lastStart;
            if (each.getKey().policyId().equals(policy) && whole && account.asked() >= 1.5 * LIMIT) {
                wanted++;
                above += Math.max(0, account.total() - LIMIT);
                worst = Math.max(worst, account.total());
                used += Math.min(LIMIT, account.total());
            }
        }
        double limits = Math.max(1, wanted * LIMIT);
        return new Kept(policy, wanted, above / limits, (double) worst / LIMIT, used / limits);
    }
}
