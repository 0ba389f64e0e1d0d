package io.meridian.simulation.invariants;

import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionModel.StateId;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.Usage;
import io.meridian.model.usage.UsageCount;
import io.meridian.simulation.Scenario;
import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.simulation.nodes.SimLimiter;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.simulation.world.SimWorld;
import io.meridian.simulation.world.SimWorld.SimRegion;
import java.util.Map;

/** Invariants at the end of a history, after all faults are healed and the load is over; some only for histories without faults. */
public record FinalChecks(SimWorld world) {
    private static final double USED_MIN = 0.999;
    private static final long WINDOW_MICROS = 5_000_000;

    public void check() {
        everyCheckIsAnswered();
        everyAccountIsReported();
        everyRegionKnows();
        whatWasAdmittedIsCounted();
        if (world.invariants.isExact()) {
            whatWasCountedIsWhatWasAdmitted();
        }
        if (world.scenario.calm()) {
            whatWasThereIsUsed();
        }
    }

    /** F1 and F5: long after the last check no check waits, and stopped limiters have left. */
    private void everyCheckIsAnswered() {
        for (SimRegion region : world.regions()) {
            if (region.instances.stream().anyMatch(SimLimiter::isBusy)) {
                throw new InvariantViolation(
                        "F1", "a limiter of " + region.name + " has not answered, or not left, by the end");
            }
        }
    }

    /** I3: the log has the latest state of every account that still exists. */
    private void everyAccountIsReported() {
        for (SimRegion region : world.regions()) {
            RegionModel model = region.redis.model();
            model.states().forEach((id, shelf) -> shelf.accounts().forEach((start, book) -> {
                LimitWindow window = new LimitWindow(id.policyId(), id.key(), start);
                UsageCount known = world.invariants
                        .logged(window)
                        .counts()
                        .getOrDefault(new RegionIncarnation(region.name, id.incarnation()), UsageCount.ZERO);
                boolean whole = known.taken() >= book.taken() && known.returned() >= book.returned();
                boolean more = id.incarnation() == model.incarnation()
                        && (known.taken() > book.taken() || known.returned() > book.returned());
                if (!whole || more) {
                    throw new InvariantViolation(
                            "I3",
                            "the log has %s of %s in %s incarnation %d, and its account has %d taken, %d returned"
                                    .formatted(
                                            known,
                                            window,
                                            region.name,
                                            id.incarnation(),
                                            book.taken(),
                                            book.returned()));
                }
            }));
        }
    }

    /** I3: every region that uses a limit knows the usage of the others. */
    private void everyRegionKnows() {
        for (SimRegion region : world.regions()) {
            RegionModel model = region.redis.model();
            model.states().forEach((id, shelf) -> {
                if (id.incarnation() == model.incarnation() && id.policyId().equals(SimPolicies.LASTING)) {
                    shelf.accounts().forEach((start, book) -> knows(region, id, start, book));
                }
            });
        }
    }

    /** Checks the open window only, because no verdicts are sent for past ones. */
    private void knows(SimRegion region, StateId id, long start, WindowAccount book) {
        if (start != SimSchedule.START_MICROS) {
            return;
        }
        Usage all = world.invariants.logged(new LimitWindow(id.policyId(), id.key(), start));
        long elsewhere = all.total() - book.own();
        if (book.taken() > 0 && book.verdict().usedElsewhere() != elsewhere) {
            throw new InvariantViolation(
                    "I3",
                    "%s knows of %d used in other regions of %s, and it was %d"
                            .formatted(region.name, book.verdict().usedElsewhere(), id, elsewhere));
        }
    }

    /**
     * I3: whatever happened, every admission of a region is counted in its window by one of the region's incarnations, degraded ones too. More may
     * be counted, for leases and answers that were lost.
     */
    private void whatWasAdmittedIsCounted() {
        world.invariants.accounts().forEach((window, account) -> {
            for (SimRegion region : world.regions()) {
                long own = world.invariants.incarnations(region.name).own(window, region.redis.model());
                long admitted = account.of(region.name, Long.MAX_VALUE);
                if (admitted > own) {
                    throw new InvariantViolation(
                            "I3", "%s admitted %d in %s, and counted %d".formatted(region.name, admitted, window, own));
                }
            }
        });
    }

    /** I3 and I7: no window counts usage of another one, or usage that was not admitted. */
    private void whatWasCountedIsWhatWasAdmitted() {
        for (Map.Entry<LimitWindow, AdmissionLedger> each :
                world.invariants.accounts().entrySet()) {
            long own = 0;
            for (SimRegion region : world.regions()) {
                own += world.invariants.incarnations(region.name).own(each.getKey(), region.redis.model());
            }
            if (own != each.getValue().total()) {
                throw new InvariantViolation(
                        "I3",
                        "%d were counted of %s, and %d admitted"
                                .formatted(own, each.getKey(), each.getValue().total()));
            }
        }
    }

    /**
     * I4: every whole window of an escrow limit is used up, except for one unit that each region may hold when its checks end. The first window is
     * exempt, because regions join in it.
     */
    private void whatWasThereIsUsed() {
        long limit = world.scenario.policies().escrow();
        double enough = Math.min(USED_MIN * limit, (double) limit - world.scenario.regions());
        world.invariants.accounts().forEach((window, account) -> {
            long end = window.startMicros() + WINDOW_MICROS;
            long met = SimSchedule.START_MICROS + world.scenario.lastJoinMicros();
            boolean whole = window.startMicros() > met && end <= SimSchedule.START_MICROS + Scenario.LOAD_MICROS;
            boolean wanted = window.key().startsWith("user_id=u") && account.asked() >= limit * 1.3;
            if (window.policyId().equals(SimPolicies.ESCROW) && whole && wanted && account.total() < enough) {
                throw new InvariantViolation(
                        "I4",
                        "%d of %d were used of %s, though %d were asked for: %s"
                                .formatted(account.total(), limit, window, account.asked(), books(window)));
            }
        });
    }

    private String books(LimitWindow window) {
        StringBuilder text = new StringBuilder();
        for (SimRegion region : world.regions()) {
            WindowAccount book =
                    region.redis.model().account(region.redis.model().incarnation(), window);
            text.append("%s holds %d, used %d, asked %d; "
                    .formatted(region.name, book.grantAvailable(), book.own(), book.requested()));
        }
        return text.toString();
    }
}
