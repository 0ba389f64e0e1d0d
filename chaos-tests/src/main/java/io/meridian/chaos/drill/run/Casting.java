package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.PartFault;
import io.meridian.chaos.drill.history.InjectedFault;
import io.meridian.chaos.drill.history.InjectedFault.PartAction;
import io.meridian.chaos.drill.history.InjectedFault.Role;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.world.Shards.Lead;
import io.meridian.chaos.drill.world.Target;
import io.meridian.chaos.drill.world.TargetFailure;
import io.meridian.model.match.LimitKeys;
import io.meridian.stack.plan.PartNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Which processes play the roles that a fault names. */
record Casting(Target target) {
    private static final String LIMITERS = "limiter-";
    private static final String REDISES = "redis-";
    private static final List<String> ROLLING =
            List.of(LIMITERS, "sync-", PartNames.CONFIG_SERVICE, REDISES, PartNames.POSTGRES, PartNames.KAFKA);

    /** Refuses a role that nobody plays. */
    List<String> of(PartFault fault, Subject loaded) throws IOException, InterruptedException {
        List<String> names = target.parts().names();
        List<String> cast =
                switch (fault.role()) {
                    case LEADER -> List.of(leaderOf(loaded));
                    case SYNC -> only(names, name -> name.startsWith("sync-"));
                    case REDIS -> only(names, PartNames.redis(fault.region())::equals);
                    case LIMITER -> limiters(names, fault);
                    case KAFKA -> only(names, PartNames.KAFKA::equals);
                    case POSTGRES -> only(names, PartNames.POSTGRES::equals);
                    case CONFIG_SERVICE -> only(names, PartNames.CONFIG_SERVICE::equals);
                    case EVERY -> inTurn(names);
                };
        if (cast.isEmpty()) {
            throw new TargetFailure("%s has no %s%s to %s; it has %s"
                    .formatted(
                            target.name(),
                            fault.role().word(),
                            fault.region().isEmpty() ? "" : " of " + fault.region(),
                            fault.verb().word(),
                            names));
        }
        return cast;
    }

    /** What a fault on one of them is, for checkers. */
    InjectedFault injected(PartAction action, String part, PartFault fault) {
        Role role =
                switch (fault.role()) {
                    case LEADER -> Role.LEADER;
                    case SYNC -> Role.SYNC;
                    case REDIS -> Role.REDIS;
                    case LIMITER -> Role.LIMITER;
                    case KAFKA -> Role.KAFKA;
                    case POSTGRES -> Role.POSTGRES;
                    case CONFIG_SERVICE -> Role.CONFIG_SERVICE;
                    case EVERY -> roleOf(part);
                };
        boolean regional = role == Role.REDIS || role == Role.LIMITER;
        return new InjectedFault.OfPart(action, role, part, regional ? regionOf(part) : "");
    }

    private static Role roleOf(String part) {
        return switch (part) {
            case PartNames.KAFKA -> Role.KAFKA;
            case PartNames.POSTGRES -> Role.POSTGRES;
            case PartNames.CONFIG_SERVICE -> Role.CONFIG_SERVICE;
            default -> part.startsWith(LIMITERS) ? Role.LIMITER : part.startsWith(REDISES) ? Role.REDIS : Role.SYNC;
        };
    }

    private String regionOf(String part) {
        return target.regions().stream()
                .filter(region -> PartNames.redis(region).equals(part) || isLimiterOf(part, region))
                .findFirst()
                .orElseThrow(() -> new TargetFailure(
                        part + " must be of one of the regions " + target.regions() + " of " + target.name()));
    }

    /** The replica that leads the limit's partition. */
    String leaderOf(Subject subject) throws IOException, InterruptedException {
        if (subject.key().contains(Subject.WINDOW)) {
            throw new TargetFailure("leader must be that of one key, but %s has another in each window: name sync"
                    .formatted(subject.policy()));
        }
        LimitKeys keys = target.keys()
                .orElseThrow(() -> new TargetFailure("who leads a limit is only known under the secret of "
                        + target.name() + ": put it into the environment as " + Target.SECRET_VARIABLE));
        List<Lead> leads = target.shards().leads();
        int partition = leads.isEmpty()
                ? -1
                : keys.shard(subject.policy(), subject.key()).partition(leads.size());
        return leads.stream()
                .filter(lead -> lead.partition() == partition && !lead.leader().isEmpty())
                .map(Lead::leader)
                .findFirst()
                .orElseThrow(() -> new TargetFailure("nobody leads " + subject.policy()));
    }

    private static List<String> limiters(List<String> names, PartFault fault) {
        return only(
                names,
                fault.number() == 0
                        ? name -> isLimiterOf(name, fault.region())
                        : PartNames.limiter(fault.region(), fault.number())::equals);
    }

    private static boolean isLimiterOf(String name, String region) {
        return name.matches(java.util.regex.Pattern.quote(PartNames.limiter(region, 1)) + "(-\\d+)?");
    }

    private static List<String> only(List<String> names, Predicate<String> wanted) {
        return names.stream().filter(wanted).toList();
    }

    /** Those that serve before those that they stand on. */
    private static List<String> inTurn(List<String> names) {
        List<String> ordered = new ArrayList<>();
        for (String kind : ROLLING) {
            names.stream().filter(name -> name.startsWith(kind)).forEach(ordered::add);
        }
        return ordered;
    }
}
