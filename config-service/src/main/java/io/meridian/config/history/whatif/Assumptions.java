package io.meridian.config.history.whatif;

import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Selector;
import java.util.ArrayList;
import java.util.List;

/** What the answer to a what-if rests on, said with it. */
final class Assumptions {
    private Assumptions() {}

    static List<String> of(Policy draft, Basis basis, RecordedDemand recorded) {
        List<String> texts = new ArrayList<>();
        texts.add("The requests are those that " + basis.policy()
                + " counted and those it refused; a refused client that" + " tried again counts each time.");
        texts.add(
                "Usage is recorded by the minute: the requests of a minute are spread evenly over it, and each is taken to"
                        + " be charged " + basis.cost() + " by " + basis.policy() + " and "
                        + draft.limitSpec().cost()
                        + " by the draft.");
        texts.add("Every counter begins untouched at the start of the range.");
        texts.add("Overrides, the allow list and adaptive limits are not applied.");
        if (selects(draft.appliesTo())) {
            texts.add(
                    "Endpoints, methods, tiers and headers of the draft are not applied: usage is recorded without them.");
        }
        texts.add(
                draft.coordination().scope() == Scope.GLOBAL
                        ? "The limit is held exactly over all regions, as if each knew of the others at once."
                        : "Every region counts for itself.");
        if (draft.enforcement().action() != Action.REJECT) {
            texts.add("Denied is what the draft would refuse; its action is not to reject.");
        }
        if (recorded.isCut()) {
            texts.add("There was more than is replayed: these are the "
                    + recorded.series().size() + " busiest of " + recorded.all() + " counters.");
        }
        return texts;
    }

    private static boolean selects(Selector selector) {
        return !(selector.endpoints().isEmpty()
                && selector.methods().isEmpty()
                && selector.tiers().isEmpty()
                && selector.headers().isEmpty());
    }
}
