package io.meridian.chaos.sim;

import io.meridian.model.counter.WindowAccount;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.Usage;
import io.meridian.model.usage.UsageCount;
import java.util.Map;

/** What has to hold once all is healed and quiet, and of a calm history. */
record Ending(World world) {
    private static final double USED_MIN = 0.999;
    private static final long WINDOW_MICROS = 5_000_000;

    void check() {
        everyCheckIsAnswered();
        everyBookIsReported();
        everyRegionKnows();
        whatWasAdmittedIsCounted();
        if (world.witness.isExact()) {
            whatWasCountedIsWhatWasAdmitted();
        }
        if (world.scenario.calm()) {
            whatWasThereIsUsed();
        }
    }

    /** F1 and F5: long after the last check nobody waits, and who was stopped has left. */
    private void everyCheckIsAnswered() {
        for (SimRegion region : world.regions()) {
            if (region.instances.stream().anyMatch(SimInstance::isBusy)) {
                throw new Violation("F1", "a limiter of " + region.name + " has not answered, or not left, by the end");
            }
        }
    }

    /** I3: the log has the last of every book that is still there. */
    private void everyBookIsReported() {
        for (SimRegion region : world.regions()) {
            RegionData data = region.redis.data();
            data.shelves.forEach((id, shelf) -> shelf.accounts().forEach((start, book) -> {
                LimitWindow window =
                        new LimitWindow(id.limit().policy(), id.limit().key(), start);
                UsageCount known = world.witness
                        .logged(window)
                        .counts()
                        .getOrDefault(new RegionIncarnation(region.name, id.life()), UsageCount.ZERO);
                boolean whole = known.taken() >= book.taken() && known.returned() >= book.returned();
                boolean more =
                        id.life() == data.life && (known.taken() > book.taken() || known.returned() > book.returned());
                if (!whole || more) {
                    throw new Violation(
                            "I3",
                            "the log knows %s of %s in %s life %d, and its book has %d taken, %d returned"
                                    .formatted(known, window, region.name, id.life(), book.taken(), book.returned()));
                }
            }));
        }
    }

    /** I3: every region that uses a limit knows what the others used of it. */
    private void everyRegionKnows() {
        for (SimRegion region : world.regions()) {
            RegionData data = region.redis.data();
            data.shelves.forEach((id, shelf) -> {
                if (id.life() == data.life && id.limit().policy().equals(SimPolicies.LASTING)) {
                    shelf.accounts().forEach((start, book) -> knows(region, id, start, book));
                }
            });
        }
    }

    /** Of the window that is open; what is over is not told of any more. */
    private void knows(SimRegion region, RegionData.ShelfId id, long start, WindowAccount book) {
        if (start != Schedule.START_MICROS) {
            return;
        }
        Usage all = world.witness.logged(
                new LimitWindow(id.limit().policy(), id.limit().key(), start));
        long elsewhere = all.total() - book.own();
        if (book.taken() > 0 && book.verdict().usedElsewhere() != elsewhere) {
            throw new Violation(
                    "I3",
                    "%s was told of %d used elsewhere of %s, and it was %d"
                            .formatted(region.name, book.verdict().usedElsewhere(), id.limit(), elsewhere));
        }
    }

    /**
     * I3: whatever happened, what a region admitted is counted in that window by one of its lives, also what it admitted while its Redis
     * was away. More may be counted: leases and answers that were lost.
     */
    private void whatWasAdmittedIsCounted() {
        world.witness.accounts().forEach((window, account) -> {
            for (SimRegion region : world.regions()) {
                long own = world.witness.lives(region.name).own(window, region.redis.data());
                long admitted = account.of(region.name, Long.MAX_VALUE);
                if (admitted > own) {
                    throw new Violation(
                            "I3", "%s admitted %d in %s, and counted %d".formatted(region.name, admitted, window, own));
                }
            }
        });
    }

    /** I3 and I7: nobody paid for what another window, or nobody, used. */
    private void whatWasCountedIsWhatWasAdmitted() {
        for (Map.Entry<LimitWindow, AdmittedUsage> each :
                world.witness.accounts().entrySet()) {
            long own = 0;
            for (SimRegion region : world.regions()) {
                own += world.witness.lives(region.name).own(each.getKey(), region.redis.data());
            }
            if (own != each.getValue().total()) {
                throw new Violation(
                        "I3",
                        "%d were counted of %s, and %d admitted"
                                .formatted(own, each.getKey(), each.getValue().total()));
            }
        }
    }

    /**
     * I4: of every whole window in escrow, but for what each region may have in its hands when nobody asks there any more: a unit. The
     * first window is that in which regions meet.
     */
    private void whatWasThereIsUsed() {
        long limit = world.scenario.policies().escrow();
        double enough = Math.min(USED_MIN * limit, (double) limit - world.scenario.regions());
        world.witness.accounts().forEach((window, account) -> {
            long end = window.startMicros() + WINDOW_MICROS;
            long met = Schedule.START_MICROS + world.scenario.lastJoinMicros();
            boolean whole = window.startMicros() > met && end <= Schedule.START_MICROS + Scenario.LOAD_MICROS;
            boolean wanted = window.key().startsWith("user_id=u") && account.asked() >= limit * 1.3;
            if (window.policyId().equals(SimPolicies.ESCROW) && whole && wanted && account.total() < enough) {
                throw new Violation(
                        "I4",
                        "%d of %d were used of %s, though %d were asked for: %s"
                                .formatted(account.total(), limit, window, account.asked(), books(window)));
            }
        });
    }

    private String books(LimitWindow window) {
        StringBuilder text = new StringBuilder();
        for (SimRegion region : world.regions()) {
            WindowAccount book = region.redis.data().book(region.redis.data().life, window);
            text.append(
                    "%s holds %d, used %d, asked %d; ".formatted(region.name, book.grantAvailable(), book.own(), book.requested()));
        }
        return text.toString();
    }
}
