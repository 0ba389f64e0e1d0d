package io.meridian.simulation.invariants;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.policy.Coordination;
import io.meridian.model.usage.LimitWindow;
import io.meridian.simulation.nodes.SimSettings;
import io.meridian.simulation.world.SimWorld;
import java.util.HashMap;
import java.util.Map;

/**
 * I9: with links up, no check of an escrow limit is refused for longer than a stated time while budget is not granted or idle in other regions. A
 * check of a key that no other region uses is refused only after it has waited; and if no other region has sent a check for {@value
 * #STATED_MICROS} microseconds, a region is not refused throughout that time. The budget is what the accounts of all regions have not taken.
 */
final class GrantLiveness {
    private static final long STATED_MICROS = 3_500_000;
    /** Time for which a leader remembers refused demand; a region that pauses for longer starts over. */
    private static final long DEMAND_FORGOTTEN_MICROS = 1_500_000;

    private static final long WAIT_MICROS = SimSettings.micros(SimSettings.LEASES.grantWait());

    /** Production's bound on waiting checks of one limit at a limiter; with a larger limit more may arrive at once. */
    private static final long WAITING_MAX = 1_000;

    private final Map<LimitWindow, Asked> windows = new HashMap<>();

    /** Demand for one limit in one window: the last check of each region, and since when it was only refused. */
    private static final class Asked {
        final Map<String, Long> lastMicros = new HashMap<>();
        final Map<String, Long> refusedSinceMicros = new HashMap<>();

        /** Last check of any other region; 0 if there was none. */
        long lastElsewhere(String region) {
            return lastMicros.entrySet().stream()
                    .filter(each -> !each.getKey().equals(region))
                    .mapToLong(Map.Entry::getValue)
                    .max()
                    .orElse(0);
        }
    }

    /**
     * Checks an answer.
     *
     * @param askedMicros begin of the check
     */
    public void answered(String region, CheckResult.Decided decided, long askedMicros, SimWorld world) {
        if (!world.scenario.calm()) {
            return;
        }
        boolean refused = decided.decision() instanceof Decision.Denied;
        boolean byEscrowAlone = decided.decision().limits().stream()
                .filter(LimitDecision::refuses)
                .allMatch(each -> isEscrow(each));
        for (LimitDecision each : decided.decision().limits()) {
            if (!isEscrow(each)) {
                continue;
            }
            LimitWindow window = InvariantChecker.window(each);
            Asked asked = windows.computeIfAbsent(window, absent -> new Asked());
            if (askedMicros - asked.lastMicros.getOrDefault(region, askedMicros) > DEMAND_FORGOTTEN_MICROS) {
                asked.refusedSinceMicros.remove(region);
            }
            if (refused && each.refuses() && byEscrowAlone) {
                refused(region, window, asked, each.limit().cost(), askedMicros, world);
                asked.refusedSinceMicros.putIfAbsent(region, askedMicros);
            } else {
                asked.refusedSinceMicros.remove(region);
            }
            asked.lastMicros.put(region, world.nowMicros());
        }
    }

    private static boolean isEscrow(LimitDecision evaluated) {
        Coordination coordination = evaluated.limit().policy().coordination();
        return coordination.isEscrow();
    }

    private static void refused(
            String region, LimitWindow window, Asked asked, long cost, long askedMicros, SimWorld world) {
        long now = world.nowMicros();
        long loop = world.loopMicros();
        long left = world.policies().limit(window.policyId()) - taken(window, world);
        boolean disturbed = now - world.disturbedMicros(region) < loop || now - world.leadersDisturbedMicros() < loop;
        if (left < cost || disturbed) {
            return;
        }
        long elsewhere = asked.lastElsewhere(region);
        long waited = now - askedMicros;
        boolean hasRoom = world.policies().limit(window.policyId()) < WAITING_MAX;
        if (elsewhere == 0 && waited < WAIT_MICROS && hasRoom) {
            throw new InvariantViolation(
                    "I9",
                    "%s refused %d of %s after %d ms though %d are left and no other region sends checks"
                            .formatted(region, cost, window, waited / 1_000, left));
        }
        long since = Math.max(
                Math.max(elsewhere, world.leadersDisturbedMicros() + loop),
                asked.refusedSinceMicros.getOrDefault(region, Long.MAX_VALUE));
        if (now - since > STATED_MICROS) {
            throw new InvariantViolation(
                    "I9",
                    "%s refused %s for %d ms though %d are left and no other region sends checks"
                            .formatted(region, window, (now - since) / 1_000, left));
        }
    }

    private static long taken(LimitWindow window, SimWorld world) {
        return world.regions().stream()
                .mapToLong(each -> world.invariants.incarnations(each.name).own(window, each.redis.model()))
                .sum();
    }
}
