package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.LoadPlan;
import io.meridian.chaos.drill.file.PolicyPlan;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.load.Lane;
import io.meridian.chaos.drill.load.Pace;
import io.meridian.chaos.drill.load.Rounds;
import io.meridian.chaos.drill.load.Timetable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** When each region is asked about each limit, as the load plan says. Parts of a window leave room for clocks that differ. */
final class Timetables {
    /** From here to {@link #FIRST_END} the first region asks alone. */
    static final double FIRST_BEGIN = 0.05;

    static final double FIRST_END = 0.25;
    /** All others ask: with the usual window 2.5 s after the limit was used up, longer than any loop delay that is believed. */
    static final double LATER = 0.7;

    static final double BURST = 0.05;

    private Timetables() {}

    /** @param nowNanos when the load begins, since the start of the drill */
    static Map<Lane, Timetable> of(LoadPlan plan, List<Subject> subjects, List<String> regions, long nowNanos) {
        Map<Lane, Timetable> timetables = new LinkedHashMap<>();
        for (Subject subject : subjects) {
            PolicyPlan policy = plan.policies().stream()
                    .filter(each -> each.sharing() == subject.sharing())
                    .findFirst()
                    .orElseThrow();
            for (int region = 0; region < regions.size(); region++) {
                timetables.put(
                        new Lane(regions.get(region), subject), of(plan, policy, region, regions.size(), nowNanos));
            }
        }
        return timetables;
    }

    private static Timetable of(LoadPlan plan, PolicyPlan policy, int region, int regions, long nowNanos) {
        return switch (policy.arrival()) {
            case EVEN -> Pace.at(policy.perSecondAndRegion(plan.window(), regions), nowNanos);
            case FIRST_REGION ->
                region == 0
                        ? Rounds.evenly(plan.window(), FIRST_BEGIN, FIRST_END, policy.first())
                        : Rounds.atOnce(plan.window(), LATER, policy.later(regions));
            case BURST -> Rounds.atOnce(plan.window(), BURST, policy.burst(regions));
        };
    }
}
