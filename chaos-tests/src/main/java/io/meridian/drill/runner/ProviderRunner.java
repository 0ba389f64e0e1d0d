package io.meridian.drill.runner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.drill.definition.Activity;
import io.meridian.drill.definition.Provider;
import io.meridian.drill.definition.Provider.ProbeKind;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Subject;
import io.meridian.drill.load.OpenLoopLoad;
import io.meridian.drill.load.OpenLoopLoad.Lane;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.drill.targets.ExternalCommand;
import io.meridian.drill.targets.HttpCalls;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runner of the providers of activities: faults, built-in probes, and the drill file's own commands and requests, as the Chaos Toolkit runs
 * them.
 *
 * @param probeWithin time that a probe is repeated for, because a single late answer is no failed region
 */
record ProviderRunner(
        DrillTarget target,
        FaultActions actions,
        ActiveFaults faults,
        OpenLoopLoad load,
        RegionHealth health,
        ControlPlaneMonitor monitor,
        DrillClock clock,
        Subject loaded,
        Duration probeWithin) {
    private static final int BODY_LENGTH_MAX = 64 << 10;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    JsonNode run(Provider provider) throws Exception {
        if (provider instanceof Provider.Network network) {
            actions.network(network);
        } else if (provider instanceof Provider.Part part) {
            actions.part(part);
        } else if (provider instanceof Provider.Heal) {
            heal();
        } else if (provider instanceof Provider.Probe probe) {
            return probe(probe.kind());
        } else if (provider instanceof Provider.Command command) {
            return command(command);
        } else if (provider instanceof Provider.Http http) {
            return http(http);
        }
        return JSON.nullNode();
    }

    private void heal() {
        List<String> failures = faults.endAll();
        if (!failures.isEmpty()) {
            throw new IllegalStateException(String.join("; ", failures));
        }
    }

    private JsonNode probe(ProbeKind kind) throws Exception {
        return switch (kind) {
            case REGIONS_ANSWER -> JSON.booleanNode(everyRegionAnswers());
            case LEADERS_PRESENT -> JSON.booleanNode(clock.await(probeWithin, monitor::allPartitionsLed));
            case LOOP_DELAY_MILLIS -> JSON.numberNode(monitor.slowestMillis());
            case FAILED_CHECKS -> JSON.numberNode(health.failed());
        };
    }

    /** Sends checks of its own, because the load may be over; they are recorded and judged as all others. */
    private boolean everyRegionAnswers() throws Exception {
        for (String region : target.regions()) {
            if (!clock.await(probeWithin, () -> isUndegraded(load.sendOnce(new Lane(region, loaded))))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUndegraded(Checked checked) {
        return checked.outcome() != Outcome.FAILED && !checked.degraded();
    }

    private static JsonNode command(Provider.Command provider) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(provider.path()));
        command.addAll(provider.arguments());
        ExternalCommand.Outcome outcome = ExternalCommand.run(command, provider.timeout());
        return JSON.objectNode()
                .put("status", outcome.status())
                .put("stdout", outcome.stdout())
                .put("stderr", outcome.stderr());
    }

    private static JsonNode http(Provider.Http provider) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpCalls.to(provider.url())
                .timeout(provider.timeout())
                .method(
                        provider.method(),
                        provider.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpCalls.text(provider.body()));
        provider.headers().forEach(request::setHeader);
        HttpResponse<String> answer = HttpCalls.send(request.build());
        ObjectNode found = JSON.objectNode().put("status", answer.statusCode());
        ObjectNode headers = found.putObject("headers");
        answer.headers().map().forEach((name, values) -> headers.put(name, String.join(", ", values)));
        String body = answer.body();
        return found.put("body", body.length() > BODY_LENGTH_MAX ? body.substring(0, BODY_LENGTH_MAX) : body);
    }

    /** Whether an activity succeeded by the status of its command or request. Only actions fail by it; of a probe the tolerance decides. */
    static boolean succeeded(Activity activity, JsonNode output) {
        if (activity.kind() != Activity.Kind.ACTION || !output.isObject()) {
            return true;
        }
        int status = output.path("status").asInt();
        return activity.provider() instanceof Provider.Command ? status == 0 : status / 100 == 2;
    }
}
