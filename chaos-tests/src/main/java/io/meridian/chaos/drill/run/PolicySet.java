package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.Arrival;
import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.file.PolicyPlan;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.world.Policies;
import io.meridian.chaos.drill.world.TargetFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The policies that a drill makes for itself and takes away again. The granted one, if any, comes first. */
final class PolicySet {
    private static final Duration IN_EFFECT_WITHIN = Duration.ofSeconds(30);
    private static final Duration REMOVED_WITHIN = Duration.ofSeconds(15);
    private static final int NAME_LENGTH_MAX = 40;

    private final List<Subject> subjects;
    private final List<Subject> created = new ArrayList<>();

    /** @param suffix tells one run of a drill from another */
    PolicySet(Drill drill, String suffix) {
        String name = drill.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
        String prefix = "drill-" + name.substring(0, Math.min(NAME_LENGTH_MAX, name.length())) + "-";
        subjects = drill.load().policies().stream()
                .sorted(Comparator.comparing(PolicyPlan::sharing).reversed())
                .map(plan -> new Subject(
                        prefix + plan.sharing().name().toLowerCase(Locale.ROOT) + "-" + suffix,
                        // A key that is met again in each window is no first contact, and escrow grants it ahead.
                        plan.arrival() == Arrival.EVEN ? "user_id=42" : "user_id=" + Subject.WINDOW,
                        plan.sharing(),
                        plan.limit(),
                        drill.load().window()))
                .toList();
    }

    List<Subject> subjects() {
        return subjects;
    }

    void create(Policies policies, Waiting waiting) throws Exception {
        for (Subject subject : subjects) {
            created.add(subject);
            policies.create(subject);
        }
        if (!waiting.until(IN_EFFECT_WITHIN, () -> policies.laggards().isEmpty())) {
            throw new TargetFailure("after " + IN_EFFECT_WITHIN.toSeconds() + " s the policies are not in effect in "
                    + policies.laggards());
        }
    }

    /** What was made, however far it came; what cannot be removed is told. */
    List<String> remove(Policies policies, Waiting waiting) throws InterruptedException {
        List<String> failures = new ArrayList<>();
        for (Subject subject : created) {
            try {
                if (!waiting.until(REMOVED_WITHIN, () -> isRemoved(policies, subject))) {
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
