package io.meridian.stack.cli;

import io.meridian.stack.Shutdown;
import io.meridian.stack.admin.StateOption;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops everything. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = "Stops what up started and returns when all of it is gone; the data stays.")
final class DownCommand implements Callable<Integer> {
    @Mixin
    private StateOption state = new StateOption();

    @Override
    public Integer call() throws IOException {
        System.out.println(
                switch (Shutdown.of(state.folder())) {
                    case NOTHING_RAN -> "Nothing was running.";
                    case STOPPED -> "Stopped.";
                    case CLEARED_AFTER_A_CRASH -> "The supervisor had died; what it left behind is gone.";
                });
        return 0;
    }
}
