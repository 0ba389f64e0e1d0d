package io.meridian.simulation;

import io.meridian.model.time.TimeSource;
import io.meridian.simulation.Simulation.ShrunkFailure;
import io.meridian.simulation.invariants.InvariantViolation;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code meridian simulate}: runs seeded histories of the whole protocol and prints their violations. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = "Runs seeded histories of the whole protocol under virtual time, with faults of every kind.")
public final class SimulateMain implements Callable<Integer> {
    private static final int SHOWN_MAX = 10;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Number of histories. Default: ${DEFAULT-VALUE}.")
    private long seeds;

    @Option(
            names = "--from",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "First seed. Default: ${DEFAULT-VALUE}.")
    private long from;

    @Option(names = "--seed", paramLabel = "SEED", description = "Runs this history alone, and prints its faults.")
    private @Nullable Long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number of threads. Default: the number of cores.")
    private int threads;

    @Option(
            names = "--scale",
            description =
                    "Instead: a million requests per second over ten million keys, and the traffic of the control plane.")
    private boolean scale;

    @Option(
            names = "--sample",
            paramLabel = "N",
            defaultValue = "1000",
            description = "With --scale, the number of keys for each simulated one. Default: ${DEFAULT-VALUE}.")
    private int sample;

    @Option(names = "--mutation", hidden = true, defaultValue = "NONE", description = "Guard to remove.")
    private Mutation mutation = Mutation.NONE;

    private final PrintStream out = System.out;

    public static void main(String[] args) {
        // The log manager that production's libraries expect.
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
        ProgressPrinter progress = new ProgressPrinter(seeds, System.err, TimeSource.system());
        SeedRange.Totals sum = SeedRange.play(from, seeds, cores, Integer.MAX_VALUE, mutation, progress);
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
                .forEach(each -> out.println(ShrunkFailure.of(each.getKey(), mutation)));
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
        Simulation.Result result = Simulation.run(which, mutation);
        out.println(
                result.violation() == null
                        ? result.scenario() + "\nall invariants hold"
                        : ShrunkFailure.of(which, mutation));
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

    /** Progress of a long run: violations at once, and totals every ten seconds. Called by one thread at a time. */
    private static final class ProgressPrinter implements Consumer<Simulation.Result> {
        private static final Duration EVERY = Duration.ofSeconds(10);

        private final long wanted;
        private final PrintStream to;
        private final TimeSource time;
        private final long beganNanos;
        private long saidNanos;
        private long played;
        private long violated;

        ProgressPrinter(long wanted, PrintStream to, TimeSource time) {
            this.wanted = wanted;
            this.to = to;
            this.time = time;
            this.beganNanos = time.monotonicNanos();
            this.saidNanos = beganNanos;
        }

        @Override
        public void accept(Simulation.Result result) {
            played++;
            InvariantViolation violation = result.violation();
            if (violation != null) {
                violated++;
                to.printf("seed %d: %s%n", result.seed(), violation.getMessage());
            }
            long now = time.monotonicNanos();
            if (now - saidNanos >= EVERY.toNanos()) {
                saidNanos = now;
                to.printf(
                        "%,d of %,d histories, %.0f per second, %,d violations%n",
                        played, wanted, played * 1e9 / (now - beganNanos), violated);
            }
        }
    }
}
