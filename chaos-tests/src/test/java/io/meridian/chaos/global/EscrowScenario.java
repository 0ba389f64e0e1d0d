package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.stack.topology.Regions;
import java.util.List;
import java.util.Map;

/** A granted limit whose demand follows the sun: four fifths of it in one region, and soon in the next. */
record EscrowScenario(Stage stage) {
    private static final int MOVES_PER_WINDOW = 6;
    private static final double HOT = 0.80;
    private static final double OTHER = 0.05;
    private static final double USED_MIN = 0.99;
    private static final double WANTED_PERCENT = 99.9;

    void followsTheSun() throws Exception {
        Scale scale = stage.scale();
        Windows windows = stage.windows();
        Subject subject = stage.world().policies().escrow("escrow-sun", scale);
        try (OpenLoop load = stage.world().load(subject, demand(0))) {
            long first = stage.firstFullWindow();
            long second = windows.next(first);
            int moves = 0;
            for (long window : List.of(first, second)) {
                for (int part = 0; part < MOVES_PER_WINDOW; part++) {
                    windows.awaitShare(window, (double) part / MOVES_PER_WINDOW);
                    load.rates(demand(++moves));
                }
            }
            windows.awaitEnd(second);
            Count count = load.stop();

            Stage.assertNoneFailed(subject, count);
            for (long window : List.of(first, second)) {
                Admitted admitted = count.window(window);
                Stage.tell("escrow: admitted %d of %d, utilisation %.2f %% (wanted %.1f %%), %s"
                        .formatted(
                                admitted.total(),
                                scale.limit(),
                                100.0 * admitted.total() / scale.limit(),
                                WANTED_PERCENT,
                                admitted.byRegion()));
                assertThat((double) admitted.total()).isGreaterThanOrEqualTo(USED_MIN * scale.limit());
            }
            Stage.assertNeverAbove(scale.limit(), subject, count);
        }
    }

    private Map<String, Double> demand(int moves) {
        double perSecond = stage.scale().demandPerSecond();
        return Stage.skewed(Regions.ALL.get(moves % Regions.ALL.size()), HOT * perSecond, OTHER * perSecond);
    }
}
