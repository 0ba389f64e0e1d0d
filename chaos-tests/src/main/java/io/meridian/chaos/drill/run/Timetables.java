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
    private static final double FIRST_BEGIN = 0.05;

    private static final double FIRST_END = 0.15;
    /**
     * From here to {@link #LATER_END} all others ask: with the usual window more than 2 s after the limit was used up, which no loop delay is
     * believed to take. Enough of the window is left for checks that wait for a grant.
     */
    private static final double LATER_BEGIN = 0.65;

    private static final double LATER_END = 0.7;
    private static final double BURST = 0.05;

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
                        : Rounds.evenly(plan.window(), LATER_BEGIN, LATER_END, policy.later(regions));
            case BURST -> Rounds.atOnce(plan.window(), BURST, policy.burst(regions));
        };
    }
}
