package io.meridian.model.policy;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Policy: which requests are limited, by which key, how, and how that degrades. Valid by construction: a combination that cannot work is refused.
 *
 * @param isProtected whether it is changed only by an approved proposal; it has no effect on decisions
 */
public record Policy(
        String id,
        String name,
        String description,
        Selector appliesTo,
        KeySpec key,
        LimitSpec limitSpec,
        Coordination coordination,
        Enforcement enforcement,
        int priority,
        boolean enabled,
        boolean isProtected,
        Revision revision) {
    static final int NAME_MAX = 200;
    static final int DESCRIPTION_MAX = 2_000;
    static final int PRIORITY_MAX = 1_000_000;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    public Policy {
        Validator rules = new Validator();
        checkTexts(rules, id, name, description, priority);
        checkCombination(rules, limitSpec, coordination, enforcement);
        rules.throwIfInvalid();
    }

    /** A policy that is not protected. */
    public Policy(
            String id,
            String name,
            String description,
            Selector appliesTo,
            KeySpec key,
            LimitSpec limitSpec,
            Coordination coordination,
            Enforcement enforcement,
            int priority,
            boolean enabled,
            Revision revision) {
        this(
                id,
                name,
                description,
                appliesTo,
                key,
                limitSpec,
                coordination,
                enforcement,
                priority,
                enabled,
                false,
                revision);
    }

    /** A policy that rejects above the limit, applies to everything, counts in its region and has all other defaults. */
    public static Policy of(String id, KeySpec key, Algorithm algorithm, long limit, Window window) {
        return new Policy(
                id,
                "",
                "",
                Selector.EVERYTHING,
                key,
                new LimitSpec(algorithm, limit, window, 0, 1, List.of()),
                Coordination.REGIONAL,
                Enforcement.REJECT,
                0,
                true,
                Revision.DRAFT);
    }

    /** The same policy as another version. */
    public Policy with(Revision other) {
        return new Policy(
                id,
                name,
                description,
                appliesTo,
                key,
                limitSpec,
                coordination,
                enforcement,
                priority,
                enabled,
                isProtected,
                other);
    }

    /** Whether a policy may have this id. */
    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** The rules for the parts of a policy that stand for themselves. */
    public static void checkTexts(Validator rules, String id, String name, String description, int priority) {
        rules.require(
                        isId(id),
                        "id",
                        id,
                        "must be 1 to 128 letters, digits, '.', '_', '-', the first a letter or digit")
                .require(
                        name.length() <= NAME_MAX && Validator.isPlain(name),
                        "name",
                        name,
                        "must be text of at most " + NAME_MAX + " characters")
                .require(
                        description.length() <= DESCRIPTION_MAX && Validator.isProse(description),
                        "description",
                        description,
                        "must be text of at most " + DESCRIPTION_MAX + " characters")
                .require(
                        Math.abs((long) priority) <= PRIORITY_MAX,
                        "priority",
                        priority,
                        "must be from -" + PRIORITY_MAX + " to " + PRIORITY_MAX);
    }

    /** The rules that hold between a policy's parts. */
    public static void checkCombination(
            Validator rules, LimitSpec limitSpec, Coordination coordination, Enforcement enforcement) {
        Algorithm algorithm = limitSpec.algorithm();
        boolean global = coordination.scope() == Scope.GLOBAL;
        rules.require(
                        !coordination.isEscrow() || algorithm.isWindowed(),
                        "mode",
                        EnumNames.text(coordination.mode()),
                        "must be converge with " + algorithm.text()
                                + ": a grant names its window, and only fixed_window has windows to name")
                .require(
                        coordination.afterHeal() != AfterHeal.CARRY || algorithm.isWindowed(),
                        "after_heal",
                        EnumNames.text(coordination.afterHeal()),
                        "must be forgive or cap with " + algorithm.text()
                                + ": only fixed_window has a next window to carry into")
                .require(
                        !global || !enforcement.adaptive(),
                        "adaptive",
                        enforcement.adaptive(),
                        "must be false with scope global: load is a region's own, a global limit is the same in all");
    }

    /** Version of a policy. One that is not stored yet has version 0. */
    public record Revision(long version, Instant createdAt, Instant updatedAt) {
        public static final Revision DRAFT = new Revision(0, Instant.EPOCH, Instant.EPOCH);

        public Revision {
            new Validator()
                    .require(version >= 0, "version", version, "must not be negative")
                    .throwIfInvalid();
        }
    }
}
