package io.meridian.stack.cli;

import java.util.ArrayList;
import java.util.List;

/** The programs of chaos-tests, each told where the repository and the state of the stack are. */
final class ChaosProgram {
    private static final String MODULE = "chaos-tests";

    private ChaosProgram() {}

    static OtherJava of(String mainClass, List<String> jvmOptions, StateOption state, List<String> arguments) {
        List<String> options = new ArrayList<>(jvmOptions);
        options.add("-Dmeridian.home=" + StateOption.home());
        options.add("-Dmeridian.state-dir=" + state.folder().root());
        return new OtherJava(MODULE, mainClass, options, arguments);
    }
}
