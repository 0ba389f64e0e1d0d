package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Several checkers that judge the same history. One that fails leaves its promise unknown and the others undisturbed. */
public final class Checkers {
    private final List<Checker> all;

    public Checkers(List<Checker> all) {
        this.all = List.copyOf(all);
    }

    /** All there are: a bound for each subject, and what holds for the whole. */
    public static Checkers of(List<Subject> subjects, Promises promises) {
        List<Checker> all = new ArrayList<>();
        subjects.forEach(subject -> all.add(new BoundKept(subject)));
        all.add(new WindowsNamed());
        all.add(new NoFailedCheck());
        all.add(new NothingLost());
        all.add(new ConvergenceTime(promises.convergeWithin()));
        all.add(new RecoveryTime(promises.recoverWithin(), promises.takeoverWithin()));
        all.add(new LimitUsed());
        return new Checkers(all);
    }

    public Verdict judge(History history) {
        return new Verdict(all.stream()
                .map(checker -> new Judged(checker.name(), finding(checker, history)))
                .toList());
    }

    private static Finding finding(Checker checker, History history) {
        try {
            return checker.check(history);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError broken) {
            return new Finding(
                    State.UNKNOWN, "The checker itself failed: " + broken, Map.of("failure", broken.toString()));
        }
    }
}
