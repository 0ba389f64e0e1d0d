package io.meridian.stack.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A program that has something to undo when it is ended, and takes as long for it as the test wants. */
final class UndoingMain {
    private UndoingMain() {}

    /** The folder of its notes; then what to exit with at once, or nothing. */
    public static void main(String[] args) throws Exception {
        Path notes = Path.of(args[0]);
        Files.write(notes.resolve("arguments"), List.of(args));
        if (args.length > 1) {
            System.exit(Integer.parseInt(args[1]));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> undo(notes)));
        Files.writeString(
                notes.resolve("started"), Long.toString(ProcessHandle.current().pid()));
        new CountDownLatch(1).await();
    }

    private static void undo(Path notes) {
        try {
            Files.writeString(notes.resolve("undoing"), "");
            while (!Files.exists(notes.resolve("enough"))) {
                Thread.sleep(5);
            }
            Files.writeString(notes.resolve("undone"), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
