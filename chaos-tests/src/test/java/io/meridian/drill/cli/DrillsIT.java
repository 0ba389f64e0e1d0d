package io.meridian.drill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.checks.DrillVerdict.Judged;
import io.meridian.drill.checks.Finding;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.definition.LoadPlan;
import io.meridian.drill.definition.LoadPlan.Arrival;
import io.meridian.drill.runner.DrillResult;
import io.meridian.drill.runner.DrillRun;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.stacktests.stack.SharedStack;
import io.meridian.stacktests.stack.TestStack;
import io.meridian.testkit.TestAmounts;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Drills that come with the product, on the stack that all tests share: each leaves it as it found it. The default build runs five of
 * them with short windows, the full build all of them as they are; {@code -Dmeridian.drills=NAME,NAME} runs these.
 */
@ExtendWith(SharedStack.class)
@Isolated("a drill breaks parts of the stack that other tests use")
@Timeout(600)
class DrillsIT {
    private static final Duration SHORT_WINDOW = Duration.ofSeconds(3);
    /** Of a drill whose checks come in rounds: each window is a first contact of its own, so that one of each phase is enough. */
    private static final Duration SHORT_ROUND = Duration.ofSeconds(2);

    private final TestStack stack;

    DrillsIT(TestStack stack) {
        this.stack = stack;
    }

    static Stream<String> drills() {
        String given = System.getProperty("meridian.drills");
        String names = given != null
                ? given
                : TestAmounts.of("cut-one-region,kill-leader,wipe-redis,cold-regions,first-burst", "all");
        return names.equals("all") ? DrillFile.BUILT_IN.stream() : Stream.of(names.split(","));
    }

    @ParameterizedTest
    @MethodSource("drills")
    void every_promise_holds_under(String name) throws Exception {
        DrillResult result;
        try (DrillTarget target = stack.target()) {
            result = new DrillRun(drill(name), target).run(event -> {});
        }
        DrillVerdict verdict = DrillJudge.verdict(result);

        System.out.printf("[drill] %s: %s%n", name, verdict.sentence());
        verdict.findings()
                .forEach(judged -> System.out.printf(
                        "[drill]   %s %s: %s%n",
                        judged.finding().state(),
                        judged.promise(),
                        judged.finding().description()));
        assertThat(result.reason()).isEmpty();
        assertThat(verdict.findings()).isNotEmpty().allSatisfy(DrillsIT::assertHeld);
    }

    /** Safety is asserted. Times are printed only: the simulation asserts them in virtual time, and a busy neighbour cannot turn this red. */
    private static void assertHeld(Judged judged) {
        Finding finding = judged.finding();
        if (!finding.ofTime()) {
            assertThat(finding.state())
                    .as("%s: %s", judged.promise(), finding.description())
                    .isEqualTo(State.VALID);
        }
    }

    private static Drill drill(String name) throws Exception {
        Drill drill = DrillFile.builtIn(name);
        LoadPlan load = drill.load();
        boolean rounds = load.policies().stream().anyMatch(policy -> policy.arrival() != Arrival.EVEN);
        LoadPlan brief = rounds
                ? load.withWindow(SHORT_ROUND).withWindows(1, 1, 1)
                : load.withWindow(SHORT_WINDOW).withWindows(1, 2, 1);
        return drill.withLoad(TestAmounts.of(brief, load));
    }
}
