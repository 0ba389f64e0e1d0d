package io.meridian.model.policy;

import io.meridian.model.validation.Validator;
import java.util.List;

/** Table by which limits follow a region's load: the first step whose load is not exceeded gives the share of the limit. */
public record AdaptiveTable(List<Step> steps) {
    /** At most {@code loadPercent} of load: {@code limitPercent} of the limit. */
    public record Step(int loadPercent, int limitPercent) {
        public Step {
            new Validator()
                    .require(
                            loadPercent >= 0 && loadPercent <= 100,
                            "load_percent",
                            loadPercent,
                            "must be from 0 to 100")
                    .require(
                            limitPercent >= 1 && limitPercent <= 1_000,
                            "limit_percent",
                            limitPercent,
                            "must be from 1 to 1000")
                    .throwIfInvalid();
        }
    }

    public static final AdaptiveTable DEFAULT =
            new AdaptiveTable(List.of(new Step(50, 150), new Step(80, 100), new Step(95, 70), new Step(100, 50)));

    public AdaptiveTable {
        steps = List.copyOf(steps);
        Validator rules = new Validator();
        for (int i = 1; i < steps.size(); i++) {
            int load = steps.get(i).loadPercent();
            rules.require(load > steps.get(i - 1).loadPercent(), "load_percent", load, "must rise from step to step");
        }
        boolean whole = !steps.isEmpty() && steps.get(steps.size() - 1).loadPercent() == 100;
        rules.require(whole, "steps", steps, "must end with a step for a load of 100")
                .throwIfInvalid();
    }

    public int limitPercent(int loadPercent) {
        return steps.stream()
                .filter(step -> loadPercent <= step.loadPercent())
                .findFirst()
                .orElse(steps.get(steps.size() - 1))
                .limitPercent();
    }
}
