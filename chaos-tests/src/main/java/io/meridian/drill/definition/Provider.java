package io.meridian.drill.definition;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Provider of an activity: the fault, probe, command or request that it executes. */
public sealed interface Provider {
    /** Fault on links; it ends by itself after its duration, unless that is zero. */
    record Network(NetworkFault fault, Duration duration) implements Provider {}

    /** Fault on processes; it is undone after its duration, unless that is zero. */
    record Part(PartFault fault, Duration duration) implements Provider {}

    /** Undoing of every active fault. */
    record Heal() implements Provider {}

    /** Built-in probe. */
    record Probe(ProbeKind kind) implements Provider {}

    /** Command of the drill file; its output is exit status, stdout and stderr. */
    record Command(String path, List<String> arguments, Duration timeout) implements Provider {
        public Command {
            arguments = List.copyOf(arguments);
        }
    }

    /** HTTP request of the drill file; its output is status, headers and body. */
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

    /** Built-in probes, by the name that a drill file gives them. */
    enum ProbeKind {
        /** True if every region decides a check with its Redis. */
        REGIONS_ANSWER("regions-answer"),
        /** True if every partition has a leader. */
        LEADERS_PRESENT("leaders-present"),
        /** The p99 of the last minute in the slowest region. */
        LOOP_DELAY_MILLIS("loop-delay-millis"),
        /** Number of failed checks since the begin of the control phase. */
        FAILED_CHECKS("failed-checks");

        private final String func;

        ProbeKind(String func) {
            this.func = func;
        }

        public String func() {
            return func;
        }
    }
}
