package io.meridian.stack;

import io.meridian.stack.process.FreePorts;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.plan.PortPlan;
import java.util.List;
import java.util.Map;

/** Looks at every port before anything starts, so that a taken one is a line and not half a stack. */
final class PortCheck {
    private PortCheck() {}

    static void allFree(PortPlan plan) {
        List<Map.Entry<String, Integer>> taken = plan.ports().entrySet().stream()
                .filter(port -> !FreePorts.isFree(port.getValue()))
                .toList();
        if (!taken.isEmpty()) {
            throw new StartFailure(message(taken.get(0), taken.size() - 1));
        }
    }

    private static String message(Map.Entry<String, Integer> wanted, int more) {
        int port = wanted.getValue();
        String holder = PortHolder.of(port)
                .map(process -> " by process " + process.pid()
                        + process.info().command().map(c -> " (" + c + ")").orElse(""))
                .orElse("");
        return "Port %d, wanted by %s, is taken%s%s. Free it, or choose another: --port %s=PORT, or --ports-from BASE for all."
                .formatted(
                        port, wanted.getKey(), holder, more == 0 ? "" : ", and " + more + " more are", wanted.getKey());
    }
}
