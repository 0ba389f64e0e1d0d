package io.meridian.stack.cli;

import io.meridian.stack.admin.StateOption;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.StartFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program of another module in a Java of its own, at the same terminal, whose exit code is the command's. It never outlives
 * the command by a signal: the command passes it on, and waits until the program has undone what it did.
 *
 * @param module the module's folder in the repository
 * @param jvmOptions {@code -Xmx512m}, {@code -Dname=value}
 */
record JavaProgram(String module, String mainClass, List<String> jvmOptions, List<String> arguments) {
    /** More than a program takes to undo and to say so; what is still there then is killed. */
    static final Duration ENDS_WITHIN = Executables.UNDO_MAX.plusMinutes(1);

    JavaProgram {
        jvmOptions = List.copyOf(jvmOptions);
        arguments = List.copyOf(arguments);
    }

    /** Returns the program's exit code when it has ended. */
    int run() throws IOException, InterruptedException {
        Process program = new ProcessBuilder(command()).inheritIO().start();
        Thread passOn = new Thread(() -> end(program), "pass-on");
        try {
            Runtime.getRuntime().addShutdownHook(passOn);
            int code = program.waitFor();
            Runtime.getRuntime().removeShutdownHook(passOn);
            return code;
        } catch (IllegalStateException ending) {
            // A signal has come. The hook ends the command with the program's code; one that came too late to be a hook
            // does too.
            end(program);
            return program.exitValue();
        }
    }

    private List<String> command() {
        Path target = StateOption.home().resolve(module).resolve("target");
        if (!Files.isDirectory(target.resolve("lib"))) {
            throw new StartFailure(module + " is not built (" + target.resolve("lib")
                    + " is missing). Call this by ./meridian, which builds what is missing.");
        }
        List<String> command = new ArrayList<>(List.of(Executables.java().toString()));
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(target.resolve("classes") + File.pathSeparator + target.resolve("lib") + File.separator + "*");
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    /** A Ctrl-C has reached the program too, and a Java that is ending takes no notice of a second signal. */
    private static void end(Process program) {
        program.destroy();
        try {
            if (!program.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                program.destroyForcibly().waitFor();
            }
            Runtime.getRuntime().halt(program.exitValue());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
