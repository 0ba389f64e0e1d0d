package io.meridian.stack.run;

import static java.util.stream.Collectors.joining;

import io.meridian.stack.process.FreePorts;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.topology.PortPlan;
import java.util.Map;

/** Looks at every port before anything starts, so that a taken one is a line and not half a stack. */
final class PortCheck {
    private PortCheck() {}

    static void allFree(PortPlan plan) {
        String taken = plan.ports().entrySet().stream()
                .filter(port -> !FreePorts.isFree(port.getValue()))
                .map(PortCheck::message)
                .collect(joining("\n"));
        if (!taken.isEmpty()) {
            throw new StartFailure(taken);
        }
    }

    private static String message(Map.Entry<String, Integer> wanted) {
        int port = wanted.getValue();
        String holder = PortHolder.of(port)
                .map(process -> " by process " + process.pid()
                        + process.info().command().map(c -> " (" + c + ")").orElse(""))
                .orElse("");
        return "Port %d, wanted by %s, is taken%s. Free it, or choose another: --port %s=PORT, or --ports-from BASE for all."
                .formatted(port, wanted.getKey(), holder, wanted.getKey());
    }
}
