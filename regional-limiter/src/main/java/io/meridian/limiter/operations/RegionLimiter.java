package io.meridian.limiter.operations;

import io.meridian.limiter.decide.CheckDecider;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.rules.RegionRules;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import io.meridian.model.match.Check;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Facade of the limiter for the API: delegates each call to the part that implements it. */
@Singleton
class RegionLimiter implements Limiter {
    private final PolicyNames named;
    private final CheckDecider decider;
    private final RequestIds requestIds;
    private final CounterOperations operations;
    private final Reservations reservations;
    private final ClientLeases clientLeases;

    RegionLimiter(
            PolicyNames named,
            CheckDecider decider,
            RequestIds requestIds,
            CounterOperations operations,
            Reservations reservations,
            ClientLeases clientLeases) {
        this.named = named;
        this.decider = decider;
        this.requestIds = requestIds;
        this.operations = operations;
        this.reservations = reservations;
        this.clientLeases = clientLeases;
    }

    @Override
    public CompletionStage<CheckResult> check(Check check) {
        return decider.check(named.known(check));
    }

    @Override
    public CompletionStage<CheckResult> check(Check check, String requestId) {
        return requestIds.check(named.known(check), requestId);
    }

    @Override
    public Optional<String> tier(Check check) {
        return operations.tier(check);
    }

    @Override
    public CompletionStage<CheckResult> status(Check check) {
        return operations.status(named.known(check));
    }

    @Override
    public CompletionStage<CheckResult> refund(Check check) {
        return operations.refund(named.known(check));
    }

    @Override
    public CompletionStage<CheckResult> reset(Check check) {
        return operations.reset(named.known(check));
    }

    @Override
    public CompletionStage<Reservation> reserve(Check check, Duration ttl) {
        return reservations.reserve(named.known(check), ttl);
    }

    @Override
    public CompletionStage<Optional<CheckResult>> commit(String reservationId, long cost) {
        return reservations.commit(reservationId, cost);
    }

    @Override
    public CompletionStage<Optional<CheckResult>> cancel(String reservationId) {
        return reservations.commit(reservationId, 0);
    }

    @Override
    public CompletionStage<ClientLease> lease(Check check, long units, Duration ttl) {
        return clientLeases.lease(named.known(check), units, ttl);
    }

    @Override
    public CompletionStage<LeaseReturn> returnLease(String leaseId, long units) {
        return clientLeases.giveBack(leaseId, units);
    }

    /** Check of the policies that a check names against those that exist: a misspelt name would limit nothing. */
    @Singleton
    static class PolicyNames {
        private final RulesInEffect rulebooks;

        PolicyNames(RulesInEffect rulebooks) {
            this.rulebooks = rulebooks;
        }

        /**
         * The check to decide. While built-in policies stand in for the rules, nobody knows which names exist: the check then
         * is one that names none, so that the built-in policies limit it.
         *
         * @throws ValidationException if it names a policy that does not exist, whether enabled and of this region or not
         */
        Check known(Check check) {
            if (check.policies().isEmpty()) {
                return check;
            }
            RegionRules rulebook = rulebooks.current();
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

        private static boolean isStandIn(RulesStatus status) {
            return status.origin() == RuleOrigin.DEFAULTS && !status.intended();
        }
    }
}
