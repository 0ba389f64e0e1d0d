package io.meridian.stack.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.StackState;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StackState.PartState.Condition;
import io.meridian.stack.admin.StateOption;
import io.meridian.stack.admin.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows how every part is. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Shows every part with its address, process and state: ready, degraded, frozen, stopped or dead.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:every part is ready", "1:one is not, or nothing runs"})
final class StatusCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    @Mixin
    private StateOption option = new StateOption();

    @Override
    public Integer call() throws IOException {
        Optional<StackState> state = StackState.read(option.folder());
        if (state.isEmpty()) {
            if (json) {
                System.out.println("{\"ready\":false,\"parts\":[]}");
                return 1;
            }
            System.out.println("Nothing runs. " + option.command("up") + " starts it.");
            return 1;
        }
        return show(state.get()) ? 0 : 1;
    }

    private boolean show(StackState state) {
        boolean supervised = state.supervisor().isAlive();
        List<Row> rows = new ArrayList<>();
        rows.add(new Row(
                "supervisor",
                state.faultsAddress(),
                state.supervisor().pid(),
                supervised ? Condition.READY : Condition.DEAD));
        rows.addAll(state.parts().parallelStream().map(Row::of).toList());
        boolean ready = state.ready() && rows.stream().allMatch(row -> row.condition() == Condition.READY);
        if (json) {
            print(rows, ready);
            return ready;
        }
        System.out.print(TextTable.of(
                List.of("NAME", "ADDRESS", "PID", "STATE"),
                rows.stream().map(Row::cells).toList()));
        if (!supervised) {
            System.out.println("The supervisor has died. " + option.command("down") + " clears up.");
        } else if (!state.ready()) {
            System.out.println("Still starting.");
        }
        return ready;
    }

    private static void print(List<Row> rows, boolean ready) {
        ObjectNode status = JsonNodeFactory.instance.objectNode().put("ready", ready);
        ArrayNode parts = status.putArray("parts");
        rows.forEach(row -> parts.addObject()
                .put("name", row.name())
                .put("address", row.address())
                .put("pid", row.pid())
                .put("state", row.condition().name().toLowerCase(Locale.ROOT)));
        System.out.println(status);
    }

    private record Row(String name, String address, long pid, Condition condition) {
        static Row of(PartState part) {
            return new Row(part.name(), part.address(), part.process().pid(), part.condition());
        }

        private String words() {
            return condition == Condition.STOPPED
                    ? "stopped by a drill"
                    : condition.name().toLowerCase(Locale.ROOT);
        }

        List<String> cells() {
            return List.of(name, address, Long.toString(pid), words());
        }
    }
}
