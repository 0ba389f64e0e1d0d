package io.meridian.stack.cli;

import java.util.List;

/** A command to be signalled: runs the program of the test in another Java, as the drill command does. */
final class OtherJavaMain {
    private OtherJavaMain() {}

    public static void main(String[] args) throws Exception {
        JavaProgram program = new JavaProgram("m", UndoingMain.class.getName(), List.of("-Xmx64m"), List.of(args));
        System.exit(program.run());
    }
}
