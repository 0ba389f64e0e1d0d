package io.meridian.chaos.cli;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.screen.LiveScreen;
import io.meridian.chaos.drill.screen.Terminal;
import io.meridian.model.time.TimeSource;
import java.io.Console;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The screen of a drill, from when it is known what there is to show. */
final class Progress implements Consumer<Event>, AutoCloseable {
    private @Nullable LiveScreen screen;

    /** This process's own. */
    static Terminal terminal() {
        return Terminal.of(System.out, isTerminal(), System.getenv());
    }

    /** From JDK 22 on there is always a console, which then knows whether it is a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException beforeJdk22) {
            return true;
        }
    }

    void begin(String title, List<String> regions, List<Subject> subjects) {
        screen = new LiveScreen(terminal(), title, regions, subjects, TimeSource.system()).start();
    }

    @Override
    public void accept(Event event) {
        if (screen != null) {
            screen.accept(event);
        }
    }

    @Override
    public void close() {
        if (screen != null) {
            screen.close();
        }
    }
}
