package io.meridian.chaos.cli;

import static java.util.stream.Collectors.joining;

import io.meridian.chaos.drill.file.Activity;
import io.meridian.chaos.drill.file.BuiltInDrills;
import io.meridian.chaos.drill.file.Drill;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the drills there are. */
@Command(name = "list", mixinStandardHelpOptions = true, description = "Shows the drills there are.")
final class ListCommand implements Callable<Integer> {
    @Option(names = "--long", description = "With what each is for.")
    private boolean descriptions;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%-16s  %-6s  %-48s  %s%n", "NAME", "TAKES", "TITLE", "DOES");
        for (String name : BuiltInDrills.NAMES) {
            Drill drill = BuiltInDrills.read(name);
            out.printf(
                    "%-16s  %-6s  %-48s  %s%n",
                    name, "~" + DrillLength.seconds(drill) + " s", drill.title(), does(drill));
            if (descriptions) {
                out.println("    " + drill.description() + "\n");
            }
        }
        out.println("\n./meridian drill run NAME runs one; one of your own is a file of the same form.");
        return 0;
    }

    private static String does(Drill drill) {
        return drill.method().stream().map(Activity::name).distinct().collect(joining("; "));
    }
}
