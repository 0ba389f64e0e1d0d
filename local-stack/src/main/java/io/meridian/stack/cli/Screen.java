package io.meridian.stack.cli;

import io.meridian.stack.StackState;
import io.meridian.stack.StateFolder;
import io.meridian.stack.Supervisor.StackProgress;
import io.meridian.stack.admin.StateOption;
import io.meridian.stack.admin.TextTable;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.StackPlan;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.rules.AdminApi;
import io.meridian.stack.rules.RuleFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Output of a start and an end in the terminal. */
final class Screen implements StackProgress {
    private final PrintStream out;
    private final StateOption option;

    Screen(PrintStream out, StateOption option) {
        this.out = out;
        this.option = option;
    }

    /** Which of the observers there are, where somebody asked for them. */
    void observed(Set<String> present) {
        Stream.of(PartNames.PROMETHEUS, PartNames.GRAFANA)
                .filter(each -> !present.contains(each))
                .forEach(each -> out.println("There is no " + each + " on the PATH: the stack runs without it."));
    }

    void starting(StateFolder folder) {
        out.println("Starting. Data and logs are in " + folder.root() + ".");
    }

    @Override
    public void ready(String name, Duration took) {
        out.printf("  ready  %-22s %5.1f s%n", name, took.toMillis() / 1000.0);
    }

    @Override
    public void note(String line) {
        out.println("  note   " + line);
    }

    @Override
    public void died(String name, int exitCode) {
        out.printf("  DEAD   %-22s ended with code %d; see: %s%n", name, exitCode, option.command("logs " + name));
    }

    @Override
    public void stopping() {
        out.println("Stopping services, Kafka, Redis, PostgreSQL.");
    }

    void failed(StartFailure failure) {
        out.println("Failed: " + failure.getMessage());
    }

    void started(StackState state, StackPlan plan, String whatStopsIt) {
        Stream<List<String>> parts = state.parts().stream().map(part -> List.of(part.name(), part.address()));
        Stream<List<String>> links = plan.regions().stream()
                .map(PartNames::kafka)
                .map(link -> List.of(link, Loopback.HOST + ":" + plan.ports().of(link)));
        Stream<List<String>> faults = Stream.of(List.of(PartNames.FAULTS, state.faultsAddress()));
        out.println();
        out.print(TextTable.of(
                List.of("NAME", "ADDRESS"),
                Stream.of(parts, links, faults).flatMap(rows -> rows).toList()));
        out.println();
        out.println("The console, signed in by a link that holds once and for ten minutes:");
        out.println("  " + signInLink(addressOf(state, PartNames.CONFIG_SERVICE)));
        out.println();
        out.println("The admin token is in " + option.folder().adminToken() + ". " + option.command("policy export")
                + " shows the policies. Try:");
        out.println(
                "  curl -si " + addressOf(state, PartNames.limiter("us-east", 1)) + "/api/v1/rate-limit/check"
                        + " -H 'Content-Type: application/json'"
                        + " -d '{\"attributes\": {\"user_id\": \"42\"}, \"endpoint\": \"/api/v1/users\", \"method\": \"GET\"}'");
        out.println();
        out.println("All is ready. " + whatStopsIt + " stops it.");
    }

    /** The link, or the console's plain address: a stack that is ready is not failed for it. */
    private String signInLink(String config) {
        try {
            String token = Files.readString(option.folder().adminToken()).strip();
            return config + new AdminApi(config, token).signInPath();
        } catch (IOException | RuleFailure failed) {
            return config + "/console/  (without a link: " + failed.getMessage() + ")";
        }
    }

    private static String addressOf(StackState state, String name) {
        return state.parts().stream()
                .filter(part -> part.name().equals(name))
                .map(part -> part.address())
                .findFirst()
                .orElseThrow();
    }
}
