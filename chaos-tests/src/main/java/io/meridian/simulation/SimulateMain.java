package io.meridian.chaos.cli;

import io.meridian.chaos.sim.Broken;
import io.meridian.chaos.sim.ScaleScenario;
import io.meridian.chaos.sim.Seeds;
import io.meridian.chaos.sim.Shortest;
import io.meridian.chaos.sim.Simulation;
import io.meridian.model.time.TimeSource;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code meridian simulate}: plays histories of the whole protocol and says which violate what. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = "Plays seeded histories of the whole protocol under virtual time, with everything going wrong.")
public final class SimulateMain implements Callable<Integer> {
    private static final int SHOWN_MAX = 10;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "2000",
            description = "How many. Default: ${DEFAULT-VALUE}.")
    private long seeds;

    @Option(
            names = "--from",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "The first. Default: ${DEFAULT-VALUE}.")
    private long from;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Plays this one alone, and tells what goes wrong in it.")
    private @Nullable Long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "0",
            description = "Default: as many as the machine has cores.")
    private int threads;

    @Option(
            names = "--scale",
            description =
                    "Instead: a million requests per second over ten million keys, and what the control plane takes.")
    private boolean scale;

    @Option(
            names = "--sample",
            paramLabel = "N",
            defaultValue = "1000",
            description = "With --scale, one key of so many. Default: ${DEFAULT-VALUE}.")
    private int sample;

    @Option(names = "--broken", hidden = true, defaultValue = "NOTHING", description = "Takes a guard away.")
    private Broken broken = Broken.NOTHING;

    private final PrintStream out = System.out;

    public static void main(String[] args) {
        // Production's log goes where its libraries expect it.
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        System.exit(new CommandLine(new SimulateMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        if (scale) {
            return scale();
        }
        if (seed != null) {
            return one(seed);
        }
        if (seeds < 1 || from > Long.MAX_VALUE - seeds) {
            throw new CommandLine.ParameterException(
                    new CommandLine(this), "--seeds must be positive, and end before the last seed, got " + seeds);
        }
        int cores = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
        RunningTotal progress = new RunningTotal(seeds, System.err, TimeSource.system());
        Seeds.Sum sum = Seeds.play(from, seeds, cores, Integer.MAX_VALUE, broken, progress);
        out.printf(
                "%,d histories in %.1f s: %.0f seeds per second on %d threads, %,d steps, %,d checks allowed, %,d denied,"
                        + " %,d decided without Redis%n",
                sum.seeds(),
                sum.seconds(),
                sum.perSecond(),
                cores,
                sum.steps(),
                sum.allowed(),
                sum.denied(),
                sum.degraded());
        out.printf("%,d violations%n", sum.violated().size());
        sum.violated().entrySet().stream()
                .limit(SHOWN_MAX)
                .forEach(each -> out.println(Shortest.of(each.getKey(), broken)));
        return sum.violated().isEmpty() ? 0 : 1;
    }

    private int scale() {
        if (sample < 1) {
            throw new CommandLine.ParameterException(new CommandLine(this), "--sample must be positive, got " + sample);
        }
        ScaleScenario.Figures figures = ScaleScenario.play(sample, from);
        out.printf(
                "1,000,000 requests per second over 10,000,000 keys in 5 regions, one key of %,d simulated for %d s: %,d checks%n",
                figures.sample(), figures.seconds(), figures.checks());
        figures.kept()
                .forEach(each -> out.printf(
                        "%-9s %,6d full windows: admitted above the limit %.2f %%, the worst %.2f of its limit; used %.2f %%%n",
                        each.policy(), each.wanted(), 100 * each.above(), each.worst(), 100 * each.used()));
        out.printf(
                "control plane: usage %,.0f messages and %.1f MB per second, verdicts %,.0f messages and %.1f MB per second%n",
                figures.usageMessages(),
                figures.usageBytes() / 1e6,
                figures.verdictMessages(),
                figures.verdictBytes() / 1e6);
        return 0;
    }

    private int one(long which) {
        Simulation.Result result = Simulation.run(which, broken);
        out.println(
                result.violation() == null ? result.scenario() + "\nall invariants hold" : Shortest.of(which, broken));
        out.printf(
                "%,d steps, %,d checks allowed, %,d denied, %,d decided without Redis, %,d reports, %,d verdicts, digest %x%n",
                result.steps(),
                result.allowed(),
                result.denied(),
                result.degraded(),
                result.reports(),
                result.verdicts(),
                result.digest());
        return result.violation() == null ? 0 : 1;
    }
}
