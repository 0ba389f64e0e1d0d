package io.meridian.limiter.decide;

import io.meridian.limiter.policy.RuleOrigin;
import io.meridian.limiter.policy.Rulebook;
import io.meridian.limiter.policy.RulebookStatus;
import io.meridian.limiter.policy.Rulebooks;
import io.meridian.model.match.Check;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import jakarta.inject.Singleton;

/** The policies that a check names, held against those that exist: a misspelt name would limit nothing. */
@Singleton
class NamedPolicies {
    private final Rulebooks rulebooks;

    NamedPolicies(Rulebooks rulebooks) {
        this.rulebooks = rulebooks;
    }

    /**
     * The check to decide. While built-in policies stand in for the rulebook, nobody knows which names exist: the check then
     * is one that names none, so that the built-in policies limit it.
     *
     * @throws ValidationException if it names a policy that does not exist, whether enabled and of this region or not
     */
    Check known(Check check) {
        if (check.policies().isEmpty()) {
            return check;
        }
        Rulebook rulebook = rulebooks.current();
        Validator rules = new Validator();
        boolean all = true;
        for (int i = 0; i < check.policies().size(); i++) {
            String id = check.policies().get(i);
            boolean exists = rulebook.policy(id).isPresent();
            all &= exists;
            rules.require(exists, "policies[" + i + "]", id, "must be a policy that exists here");
        }
        if (!all && isStandIn(rulebooks.status())) {
            return check.withoutPolicies();
        }
        rules.throwIfInvalid();
        return check;
    }

    private static boolean isStandIn(RulebookStatus status) {
        return status.origin() == RuleOrigin.DEFAULTS && !status.intended();
    }
}
