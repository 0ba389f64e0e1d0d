package io.meridian.chaos.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.cli.Judgement;
import io.meridian.chaos.drill.file.BuiltInDrills;
import io.meridian.chaos.drill.run.DrillResult;
import io.meridian.chaos.drill.run.DrillRun;
import io.meridian.chaos.drill.verdict.State;
import io.meridian.chaos.drill.verdict.Verdict;
import io.meridian.chaos.drill.world.OwnStack;
import io.meridian.chaos.drill.world.OwnTarget;
import io.meridian.chaos.stack.MeridianCommand;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Drills that come with the product, on one stack that they share: each leaves it as it found it. {@code -Dmeridian.drills=all} runs
 * all of them, which takes a quarter of an hour; a name, or several, runs these.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class DrillsIT {
    private final OwnTarget target;

    DrillsIT() throws Exception {
        target = OwnTarget.of(OwnStack.start(MeridianCommand.HOME));
    }

    @AfterAll
    void nothing_is_left() throws Exception {
        target.close();
    }

    static Stream<String> drills() {
        String which = System.getProperty("meridian.drills", "cut-one-region,kill-leader,wipe-redis");
        return which.equals("all") ? BuiltInDrills.NAMES.stream() : Stream.of(which.split(","));
    }

    @ParameterizedTest
    @MethodSource("drills")
    void every_promise_holds_under(String name) throws Exception {
        DrillResult result = new DrillRun(BuiltInDrills.read(name), target, event -> {}).run();
        Verdict verdict = new Judgement(result).verdict();

        System.out.printf("[drill] %s: %s%n", name, verdict.sentence());
        verdict.findings()
                .forEach(judged -> System.out.printf(
                        "[drill]   %s %s: %s%n",
                        judged.finding().state(),
                        judged.promise(),
                        judged.finding().words()));
        assertThat(result.reason()).isEmpty();
        assertThat(verdict.overall()).as(verdict.sentence()).isEqualTo(State.VALID);
    }
}
