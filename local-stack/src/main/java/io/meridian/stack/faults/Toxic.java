package io.meridian.stack.faults;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A named fault on one direction of a proxy's connections. Toxicity is the share of connections it affects: whether one
 * connection is affected is drawn once, so that raising the toxicity only adds connections.
 */
public record Toxic(String name, Direction direction, double toxicity, ToxicEffect effect) {
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

    public Toxic {
        requireLabel("name", name);
        Objects.requireNonNull(direction, "direction");
        Objects.requireNonNull(effect, "effect");
        if (!(toxicity >= 0 && toxicity <= 1)) {
            throw new IllegalArgumentException("toxicity must be between 0 and 1, got " + toxicity);
        }
    }

    /** A toxic that affects every connection, under the name Toxiproxy would give it. */
    public static Toxic everywhere(Direction direction, ToxicEffect effect) {
        return new Toxic(effect.type() + "_" + direction.wireName(), direction, 1.0, effect);
    }

    /** The half of a connection a toxic works on: upstream is client to server, downstream is server to client. */
    public enum Direction {
        UPSTREAM,
        DOWNSTREAM;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Direction ofWireName(String wireName) {
            for (Direction direction : values()) {
                if (direction.wireName().equals(wireName)) {
                    return direction;
                }
            }
            throw new IllegalArgumentException("stream must be upstream or downstream, got " + wireName);
        }
    }

    /** The toxics of one proxy, in the order they were added; every change is a new chain. */
    record ToxicChain(List<Toxic> toxics) {
        static final int TOXICS_MAX = 64;
        static final ToxicChain NONE = new ToxicChain(List.of());

        ToxicChain {
            toxics = List.copyOf(toxics);
            if (toxics.size() > TOXICS_MAX) {
                throw FaultRefusal.full("toxics on a proxy", TOXICS_MAX);
            }
        }

        Optional<Toxic> find(String name) {
            return toxics.stream().filter(toxic -> toxic.name().equals(name)).findFirst();
        }

        ToxicChain with(Toxic added) {
            if (find(added.name()).isPresent()) {
                throw FaultRefusal.taken("toxic", added.name());
            }
            return new ToxicChain(
                    Stream.concat(toxics.stream(), Stream.of(added)).toList());
        }

        /** The chain with the toxic of the same name exchanged; what a toxic is and where it works cannot change. */
        ToxicChain replacing(Toxic changed) {
            Toxic existing = require(changed.name());
            requireSame("type", existing.effect().type(), changed.effect().type());
            requireSame(
                    "stream",
                    existing.direction().wireName(),
                    changed.direction().wireName());
            return new ToxicChain(toxics.stream()
                    .map(toxic -> toxic.equals(existing) ? changed : toxic)
                    .toList());
        }

        ToxicChain without(String name) {
            Toxic removed = require(name);
            return new ToxicChain(
                    toxics.stream().filter(toxic -> !toxic.equals(removed)).toList());
        }

        Toxic require(String name) {
            return find(name).orElseThrow(() -> FaultRefusal.missing("toxic", name));
        }

        private static void requireSame(String field, String existing, String changed) {
            if (!existing.equals(changed)) {
                throw new IllegalArgumentException(field + " of a toxic must stay " + existing + ", got " + changed);
            }
        }
    }

    /** Refuses a name of a proxy or toxic that does not fit one segment of a path unescaped. */
    static String requireLabel(String field, String label) {
        if (!LABEL.matcher(label).matches()) {
            throw new IllegalArgumentException(
                    field + " must be 1 to 100 of letters, digits and . _ : -, got \"" + label + "\"");
        }
        return label;
    }
}
