package io.meridian.chaos.drill.file;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Who does what an activity says. */
public sealed interface Provider {
    /** A fault on links; it ends by itself after its duration, unless that is zero. */
    record Network(NetworkFault fault, Duration duration) implements Provider {}

    /** A fault on a process; it is undone after its duration, unless that is zero. */
    record Part(PartFault fault, Duration duration) implements Provider {}

    /** Undoes every fault that is in effect. */
    record Heal() implements Provider {}

    /** Looks at what the drill knows by itself. */
    record Look(Sight sight) implements Provider {}

    /** A command of the user's own; its status, stdout and stderr are what it found. */
    record Command(String path, List<String> arguments, Duration timeout) implements Provider {
        public Command {
            arguments = List.copyOf(arguments);
        }
    }

    /** A request of the user's own; status, headers and body are what it found. */
    record Http(String url, String method, Map<String, String> headers, String body, Duration timeout)
            implements Provider {
        private static final Set<String> WEB = Set.of("http", "https");

        public Http {
            headers = Map.copyOf(headers);
            requireWeb(url);
        }

        private static void requireWeb(String url) {
            URI uri = URI.create(url);
            if (uri.getHost() == null
                    || !WEB.contains(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "url must be like http://host/path or https://host/path, got " + url);
            }
        }
    }

    /** What there is to look at. */
    enum Sight {
        /** True if every region answers a check by the book. */
        REGIONS_ANSWER("regions-answer"),
        /** True if every partition has a leader. */
        LEADERS_PRESENT("leaders-present"),
        /** The slowest region's p99 of the last minute. */
        LOOP_DELAY_MILLIS("loop-delay-millis"),
        /** How many checks failed since the control phase began. */
        FAILED_CHECKS("failed-checks");

        private final String func;

        Sight(String func) {
            this.func = func;
        }

        public String func() {
            return func;
        }
    }
}
