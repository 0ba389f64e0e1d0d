package io.meridian.chaos.sim;

import io.meridian.limiter.decide.Ruling;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.Decision;
import io.meridian.model.policy.Coordination;
import io.meridian.model.usage.LimitWindow;
import java.util.HashMap;
import java.util.Map;

/**
 * I9: with links up, no check of a limit in escrow is refused for longer than stated while budget is not granted or idle elsewhere. A check of a
 * key that no other region asks for is refused only once it has waited; and where no other region has asked for {@value #STATED_MICROS}
 * microseconds, a region is not refused throughout that time. The budget is what the books of all regions have not taken.
 */
final class GrantLiveness {
    private static final long STATED_MICROS = 3_500_000;
    /** As long a leader remembers what a region was refused: one that pauses for longer asks anew. */
    private static final long DEMAND_FORGOTTEN_MICROS = 1_500_000;

    private static final long WAIT_MICROS = SimSettings.micros(SimSettings.LEASES.grantWait());

    /** So many checks of one limit wait at an instance, as production bounds it; under a larger limit more may come at once. */
    private static final long WAITING_MAX = 1_000;

    private final Map<LimitWindow, Asked> windows = new HashMap<>();

    /** When each region last asked for one limit in one window, and since when it was only refused. */
    private static final class Asked {
        final Map<String, Long> lastMicros = new HashMap<>();
        final Map<String, Long> refusedSinceMicros = new HashMap<>();

        /** When any other region last asked; 0 if none has. */
        long lastElsewhere(String region) {
            return lastMicros.entrySet().stream()
                    .filter(each -> !each.getKey().equals(region))
                    .mapToLong(Map.Entry::getValue)
                    .max()
                    .orElse(0);
        }
    }

    /** @param askedMicros when the check began */
    void answered(String region, Ruling.Decided decided, long askedMicros, World world) {
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
            LimitWindow window = Witness.window(each);
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
            String region, LimitWindow window, Asked asked, long cost, long askedMicros, World world) {
        long now = world.nowMicros();
        long loop = world.loopMicros();
        long left = world.policies().limit(window.policyId()) - taken(window, world);
        boolean troubled = now - world.troubledMicros(region) < loop || now - world.centreTroubledMicros() < loop;
        if (left < cost || troubled) {
            return;
        }
        long elsewhere = asked.lastElsewhere(region);
        long waited = now - askedMicros;
        boolean hasRoom = world.policies().limit(window.policyId()) < WAITING_MAX;
        if (elsewhere == 0 && waited < WAIT_MICROS && hasRoom) {
            throw new Violation(
                    "I9",
                    "%s refused %d of %s after %d ms though %d are left and no other region asks"
                            .formatted(region, cost, window, waited / 1_000, left));
        }
        long since = Math.max(
                Math.max(elsewhere, world.centreTroubledMicros() + loop),
                asked.refusedSinceMicros.getOrDefault(region, Long.MAX_VALUE));
        if (now - since > STATED_MICROS) {
            throw new Violation(
                    "I9",
                    "%s refused %s for %d ms though %d are left and no other region asks"
                            .formatted(region, window, (now - since) / 1_000, left));
        }
    }

    private static long taken(LimitWindow window, World world) {
        return world.regions().stream()
                .mapToLong(each -> world.witness.lives(each.name).own(window, each.redis.data()))
                .sum();
    }
}
