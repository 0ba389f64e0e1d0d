package io.meridian.drill.runner;

import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.LoadPlan.Arrival;
import io.meridian.drill.definition.LoadPlan.PolicyLoad;
import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.DrillTarget.Policies;
import io.meridian.drill.targets.DrillTarget.TargetException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Policies of a drill run, which it creates and removes. The escrow policy, if any, comes first. */
final class DrillPolicies {
    private static final Duration IN_EFFECT_WITHIN = Duration.ofSeconds(30);
    private static final Duration REMOVED_WITHIN = Duration.ofSeconds(15);
    private static final int NAME_LENGTH_MAX = 40;

    private final List<Subject> subjects;
    private final List<Subject> created = new ArrayList<>();

    /** @param suffix unique to this run */
    DrillPolicies(Drill drill, String suffix) {
        String name = drill.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
        String prefix = "drill-" + name.substring(0, Math.min(NAME_LENGTH_MAX, name.length())) + "-";
        subjects = drill.load().policies().stream()
                .sorted(Comparator.comparing(PolicyLoad::sharing).reversed())
                .map(plan -> new Subject(
                        prefix + plan.sharing().name().toLowerCase(Locale.ROOT) + "-" + suffix,
                        // A key that regions used in earlier windows is no first contact, and escrow grants it in
                        // advance.
                        plan.arrival() == Arrival.EVEN ? "user_id=42" : "user_id=" + Subject.WINDOW,
                        plan.sharing(),
                        plan.limit(),
                        drill.load().window()))
                .toList();
    }

    List<Subject> subjects() {
        return subjects;
    }

    void create(Policies policies, DrillClock clock) throws Exception {
        for (Subject subject : subjects) {
            created.add(subject);
            policies.create(subject);
        }
        if (!clock.await(IN_EFFECT_WITHIN, () -> policies.laggards().isEmpty())) {
            throw new TargetException("after " + IN_EFFECT_WITHIN.toSeconds() + " s the policies are not in effect in "
                    + policies.laggards());
        }
    }

    /** Removes what was created, and returns what could not be removed. */
    List<String> remove(Policies policies, DrillClock clock) throws InterruptedException {
        List<String> failures = new ArrayList<>();
        for (Subject subject : created) {
            try {
                if (!clock.await(REMOVED_WITHIN, () -> isRemoved(policies, subject))) {
                    failures.add("policy " + subject.policy() + " could not be removed");
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                failures.add("policy " + subject.policy() + ": " + e.getMessage());
            }
        }
        return failures;
    }

    private static boolean isRemoved(Policies policies, Subject subject) throws InterruptedException {
        try {
            policies.remove(subject);
            return true;
        } catch (IOException e) {
            return String.valueOf(e.getMessage()).contains("answered with 404");
        }
    }
}
