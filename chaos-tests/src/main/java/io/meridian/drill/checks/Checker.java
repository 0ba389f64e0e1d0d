package io.meridian.drill.checks;

import io.meridian.drill.definition.Drill.Deadlines;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * Checker of one promise, by the history alone.
 *
 * <p>Its comment names its kind. A checker of safety judges what must hold at any speed, and always judges. A checker of time judges a
 * duration, or what depends on one: a violation that it finds while the machine was starved ({@link Lateness}) is unknown instead. A promise
 * that holds on a starved machine is valid for either kind.
 */
public interface Checker {
    /** Name of the promise in the report: {@code no failed check}. */
    String name();

    Finding check(DrillHistory history);

    /** All checkers: a bound for each subject, and the promises of the whole. */
    static List<Checker> all(List<Subject> subjects, Deadlines deadlines) {
        List<Checker> all = new ArrayList<>();
        subjects.forEach(subject -> all.add(new BoundChecker(subject)));
        all.add(new WindowChecker());
        all.add(new AvailabilityChecker());
        all.add(new UsageReportChecker());
        all.add(new ConvergenceChecker(deadlines.convergence()));
        all.add(new RecoveryChecker(deadlines.recovery(), deadlines.takeover()));
        all.add(new UtilizationChecker());
        return all;
    }
}
