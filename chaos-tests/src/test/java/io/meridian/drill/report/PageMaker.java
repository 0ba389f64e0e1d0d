package io.meridian.drill.report;

import io.meridian.drill.checks.Checker;
import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.definition.Drill.Deadlines;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import io.meridian.drill.sample.SampleFaults;
import java.io.IOException;
import java.nio.file.Path;

/** Writes reports of made-up drills to be looked at: {@code PageMaker FOLDER}. */
final class PageMaker {
    private PageMaker() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        write(folder.resolve("valid"), new SampleDrill().history());
        write(folder.resolve("violated"), violated());
        write(folder.resolve("unknown"), unknown());
        write(folder.resolve("starved"), starved());
    }

    static DrillVerdict write(Path folder, DrillHistory history) throws IOException {
        DrillVerdict verdict = DrillVerdict.of(Checker.all(history.subjects(), Deadlines.DEFAULT), history);
        DrillReport.write(folder, history, verdict, Journals.ofCut(history));
        return verdict;
    }

    /** A granted limit is granted twice, a Redis falls silent, and some checks fail. */
    static DrillHistory violated() {
        long from = SampleDrill.seconds(25);
        long to = SampleDrill.seconds(35);
        return new SampleDrill()
                .named("kill-redis", "The Redis of us-west is killed while </script><b>ap-south</b> is cut off")
                .with(new Event.FaultBegan(
                        from, "kill-redis", SampleFaults.redis(PartAction.KILL, "us-west"), "Redis of us-west killed"))
                .with(new Event.FaultEnded(to, "kill-redis"))
                .checks(
                        check -> check.region().equals("us-west") && check.atNanos() >= from && check.atNanos() < to,
                        Changes::degraded)
                .checks(
                        check -> check.policy().equals("drill-escrow")
                                && check.atNanos() >= from
                                && check.atNanos() < to
                                && check.region().startsWith("us"),
                        Changes::allowed)
                .checks(
                        check -> check.region().equals("eu-west")
                                && check.atNanos() >= SampleDrill.seconds(26)
                                && check.atNanos() < SampleDrill.seconds(27),
                        Changes::failed)
                .with(new Event.LeaderObserved(SampleDrill.seconds(26), 3, "", 3))
                .with(new Event.LeaderObserved(SampleDrill.seconds(28), 3, "sync-1", 4))
                .toldAnew()
                .history();
    }

    /** Checks are given up for want of a core. */
    static DrillHistory starved() {
        return new SampleDrill()
                .checks(check -> SampleDrill.between(check, 25, 26), Changes::failed)
                .starved(20, 30)
                .toldAnew()
                .history();
    }

    static DrillHistory unknown() {
        return new SampleDrill()
                .named("cut-one-region", "A cut of which nobody read the usage")
                .without(event -> event instanceof Event.UsageReported || event instanceof Event.LoopSampled)
                .history();
    }
}
