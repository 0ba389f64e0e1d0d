package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.Drill;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says whether a file is a drill, and all that is wrong with it if it is none. */
@Command(name = "validate", mixinStandardHelpOptions = true, description = "Says whether a file is a drill.")
final class ValidateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "A drill's file, YAML or JSON; or the name of a built-in one.")
    private String file = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Drill drill = Drills.find(file);
        spec.commandLine()
                .getOut()
                .printf("%s is a drill: %s, about %d s%n", file, drill.title(), DrillLength.seconds(drill));
        return 0;
    }
}
