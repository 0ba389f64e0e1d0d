package io.meridian.drill.runner;

import io.meridian.drill.definition.Activity;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.PartFault;
import io.meridian.drill.definition.PartFault.Verb;
import io.meridian.drill.definition.Provider;
import io.meridian.drill.history.InjectedFault;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.history.InjectedFault.Role;
import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.drill.targets.DrillTarget.Shards.Lead;
import io.meridian.drill.targets.DrillTarget.TargetException;
import io.meridian.model.match.LimitKeys;
import io.meridian.stack.plan.PartNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Resolver of the roles in a drill file to processes of the target. */
record RoleResolver(DrillTarget target) {
    private static final String LIMITERS = "limiter-";
    private static final String REDISES = "redis-";
    private static final List<String> ROLLING =
            List.of(LIMITERS, "sync-", PartNames.CONFIG_SERVICE, REDISES, PartNames.POSTGRES, PartNames.KAFKA);

    /** Refuses what the target cannot do, undoing included, with all errors at once. */
    void requireFeasible(Drill drill, Subject loaded) throws IOException, InterruptedException {
        List<String> errors = new ArrayList<>();
        for (Activity activity : Stream.concat(drill.method().stream(), drill.rollbacks().stream())
                .toList()) {
            try {
                check(activity.provider(), loaded, errors, activity.name());
            } catch (IOException | TargetException | IllegalArgumentException e) {
                errors.add(activity.name() + ": " + e.getMessage());
            }
        }
        if (!errors.isEmpty()) {
            throw new TargetException(
                    "%s cannot run %s:\n  %s".formatted(target.name(), drill.name(), String.join("\n  ", errors)));
        }
    }

    private void check(Provider provider, Subject loaded, List<String> errors, String activity)
            throws IOException, InterruptedException {
        if (provider instanceof Provider.Network network) {
            network.fault().requireOthers(target.regions());
            for (String place : network.fault().of(target.regions())) {
                if (!target.links().places().contains(place)) {
                    errors.add("%s: no proxy on the link of %s; there are proxies of %s"
                            .formatted(
                                    activity,
                                    place,
                                    target.links().places().stream().sorted().toList()));
                }
            }
        }
        if (provider instanceof Provider.Part part) {
            for (String name : partsOf(part.fault(), loaded)) {
                for (Verb verb :
                        List.of(part.fault().verb(), undoing(part.fault().verb()))) {
                    if (!target.parts().can(name, verb)) {
                        errors.add(activity + ": no way to " + verb.word() + " " + name);
                    }
                }
            }
        }
    }

    private static Verb undoing(Verb verb) {
        return switch (verb) {
            case KILL, STOP -> Verb.START;
            case FREEZE -> Verb.THAW;
            case START, RESTART, THAW, WIPE -> verb;
        };
    }

    /** The processes of a role; refuses a role without any. */
    List<String> partsOf(PartFault fault, Subject loaded) throws IOException, InterruptedException {
        List<String> names = target.parts().names();
        List<String> parts =
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
        if (parts.isEmpty()) {
            throw new TargetException("%s has no %s%s to %s; it has %s"
                    .formatted(
                            target.name(),
                            fault.role().word(),
                            fault.region().isEmpty() ? "" : " of " + fault.region(),
                            fault.verb().word(),
                            names));
        }
        return parts;
    }

    /** Typed description of a fault on one process. */
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
                .orElseThrow(() -> new TargetException(
                        part + " must belong to one of the regions " + target.regions() + " of " + target.name()));
    }

    /** The replica that leads the limit's partition. */
    String leaderOf(Subject subject) throws IOException, InterruptedException {
        if (subject.key().contains(Subject.WINDOW)) {
            throw new TargetException("leader must be that of one key, but %s has another key in each window: use sync"
                    .formatted(subject.policy()));
        }
        LimitKeys keys = target.keys()
                .orElseThrow(() -> new TargetException("the leader of a limit is only known with the key secret of "
                        + target.name() + ": set the environment variable " + DrillTarget.SECRET_VARIABLE));
        List<Lead> leads = target.shards().leads();
        int partition = leads.isEmpty()
                ? -1
                : keys.shard(subject.policy(), subject.key()).partition(leads.size());
        return leads.stream()
                .filter(lead -> lead.partition() == partition && !lead.leader().isEmpty())
                .map(Lead::leader)
                .findFirst()
                .orElseThrow(() -> new TargetException("no replica leads " + subject.policy()));
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

    /** All processes, services before the servers that they depend on. */
    private static List<String> inTurn(List<String> names) {
        List<String> ordered = new ArrayList<>();
        for (String kind : ROLLING) {
            names.stream().filter(name -> name.startsWith(kind)).forEach(ordered::add);
        }
        return ordered;
    }
}
