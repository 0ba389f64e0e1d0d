package io.meridian.drill.definition;

import java.util.Locale;

/**
 * Fault on the processes of a role.
 *
 * @param region of a Redis or a limiter, else empty
 * @param number of the limiter in its region, counted from 1; 0 for all of them
 */
public record PartFault(Verb verb, Role role, String region, int number) {
    public PartFault {
        if (role.isRegional() == region.isEmpty()) {
            throw new IllegalArgumentException("region of %s must be %s, got \"%s\""
                    .formatted(role.word(), role.isRegional() ? "given" : "absent", region));
        }
        if (role == Role.EVERY && verb != Verb.RESTART) {
            throw new IllegalArgumentException("action on every part must be restart, got " + verb.word());
        }
        if (verb == Verb.WIPE && role != Role.REDIS) {
            throw new IllegalArgumentException("target of wipe must be redis, got " + role.word());
        }
        if (number < 0 || number > 10) {
            throw new IllegalArgumentException("number must be from 0 to 10, got " + number);
        }
    }

    /** Operation on a process. */
    public enum Verb {
        KILL,
        STOP,
        START,
        RESTART,
        FREEZE,
        THAW,
        WIPE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Verb of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /** Role of a process. */
    public enum Role {
        /** The sync replica that leads the first limit under load. */
        LEADER,
        /** All sync replicas. */
        SYNC,
        REDIS,
        LIMITER,
        KAFKA,
        POSTGRES,
        CONFIG_SERVICE,
        /** All processes, one after the other. */
        EVERY;

        boolean isRegional() {
            return this == REDIS || this == LIMITER;
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Role of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }
}
