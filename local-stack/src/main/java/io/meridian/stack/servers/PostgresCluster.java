package io.meridian.stack.servers;

import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The data folder of a PostgreSQL, made on first use. It is made aside and renamed, so that a half-made one is never used. */
final class PostgresCluster {
    private static final int INIT_SECONDS_MAX = 120;

    private PostgresCluster() {}

    static Path prepare(PostgresSettings settings, Path binaries, List<String> prefix) throws IOException {
        Path data = settings.directory().resolve("data");
        if (Files.isDirectory(data)) {
            return data;
        }
        Path fresh = settings.directory().resolve("data.new");
        Folders.delete(fresh);
        Path password = Files.writeString(settings.directory().resolve("password"), PostgresServer.PASSWORD);
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                binaries.resolve("bin/initdb").toString(),
                "--pgdata=" + fresh,
                "--username=" + PostgresServer.USER,
                "--pwfile=" + password,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions"));
        if (settings.durability() == Durability.THROWAWAY) {
            command.add("--no-sync");
        }
        run(ChildCommand.of("initdb", command, settings.log()));
        Files.delete(password);
        return Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void run(ChildCommand command) {
        try (ChildProcess initdb = ChildProcess.start(command)) {
            int code = initdb.onExit().get(INIT_SECONDS_MAX, TimeUnit.SECONDS);
            if (code != 0) {
                throw StartFailure.withLog("PostgreSQL's initdb failed with code " + code + ".", command.log());
            }
        } catch (TimeoutException | ExecutionException e) {
            throw StartFailure.withLog(
                    "PostgreSQL's initdb did not end within " + INIT_SECONDS_MAX + " s.", command.log());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFailure("interrupted during PostgreSQL's initdb", e);
        }
    }
}
