package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.topology.Regions;

/**
 * One policy of each kind while the world falls apart: a region alone for a window, two regions for the next, then the centre,
 * which leaves every region alone. Every region asks for more than the whole limit, so that each component can use it up.
 */
record PartitionScenario(Stage stage) {
    private static final long PARTS = 8;
    /** What a region asks for in a window, of the limit. */
    private static final double DEMAND = 1.2;

    private static final double OVER_MAX = 1.05;
    private static final String FIRST = "ap-south";
    private static final String SECOND = "eu-west";

    void fallsApartAndHeals() throws Exception {
        Scale scale = stage.scale().dividedBy(PARTS);
        Scale half = scale.dividedBy(2);
        Policies policies = stage.world().policies();
        Subject escrow = policies.escrow("apart-escrow", scale);
        Subject converge = policies.converge("apart-converge", scale);
        Subject regional = policies.regional("apart-regional", half);
        try (OpenLoop escrowLoad = load(escrow, scale);
                OpenLoop convergeLoad = load(converge, scale);
                OpenLoop regionalLoad = load(regional, half)) {
            long first = stage.firstFullWindow();
            long last = cutAndHeal(first);

            Count escrowCount = escrowLoad.stop();
            Count convergeCount = convergeLoad.stop();
            Count regionalCount = regionalLoad.stop();
            Stage.assertNoneFailed(escrow, escrowCount);
            Stage.assertNoneFailed(converge, convergeCount);
            Stage.assertNoneFailed(regional, regionalCount);
            tellEscrow(scale, escrowCount, first);
            Stage.assertNeverAbove(scale.limit(), escrow, escrowCount);
            assertComponents(scale, convergeCount, first);
            assertRegional(half, regionalCount, first, last);
            stage.awaitTotals(escrow, escrowCount);
            stage.awaitTotals(converge, convergeCount);
            stage.awaitTotals(regional, regionalCount);
            Stage.tell("apart: every total is what was admitted");
        }
    }

    /** The end of the last window under a cut. */
    private long cutAndHeal(long first) throws Exception {
        Windows windows = stage.windows();
        Links links = stage.world().links();
        long second = windows.next(first);
        long third = windows.next(second);
        windows.awaitShare(first, 0);
        links.cut(FIRST);
        windows.awaitEnd(first);
        links.cut(SECOND);
        windows.awaitEnd(second);
        // In this order, so that nothing is reconciled between the two.
        links.cutCentre();
        links.join(FIRST, SECOND);
        windows.awaitEnd(third);
        links.heal();
        return third;
    }

    private OpenLoop load(Subject subject, Scale scale) {
        double perSecond = scale.perSecond(DEMAND * scale.limit());
        return stage.world().load(subject, Stage.even(perSecond * Regions.ALL.size()));
    }

    private void tellEscrow(Scale scale, Count count, long first) {
        long window = first;
        for (String cut : new String[] {"one region", "two regions", "the centre"}) {
            Stage.tell("apart: escrow, %s cut: admitted %d of %d"
                    .formatted(cut, count.window(window).total(), scale.limit()));
            window = stage.windows().next(window);
        }
    }

    /** As many limits as the world had components. */
    private void assertComponents(Scale scale, Count count, long first) {
        long window = first;
        for (int components : new int[] {2, 3, Regions.ALL.size()}) {
            Admitted admitted = count.window(window);
            Stage.tell("apart: converge in %d components: admitted %d of %d x %d, %s"
                    .formatted(components, admitted.total(), components, scale.limit(), admitted.byRegion()));
            assertThat((double) admitted.total())
                    .as("converge in %d components", components)
                    .isLessThanOrEqualTo(OVER_MAX * components * scale.limit());
            window = stage.windows().next(window);
        }
    }

    /** A region's own limit knows nothing of the others: used up, and never above. */
    private void assertRegional(Scale scale, Count count, long first, long last) {
        for (long window = first; window <= last; window = stage.windows().next(window)) {
            Stage.assertExactInEveryRegion(scale.limit(), count.window(window));
        }
    }
}
