package io.meridian.stack.servers;

import io.meridian.stack.process.CacheFolder;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.PostgresServer.PostgresSettings;
import io.meridian.stack.servers.Server.Durability;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * Programs of PostgreSQL and the data folder that they work on. The programs are unpacked from the jar that the build chose for this kind
 * of machine.
 */
final class PostgresInstallation {
    private static final int OWNER_MAY_RUN = 0100;

    private PostgresInstallation() {}

    static Path home() throws IOException {
        String archive =
                "/postgres-%s-%s.txz".formatted(Executables.system(), Executables.isArm() ? "arm_64" : "x86_64");
        return CacheFolder.ofUser().unpacked(PostgresInstallation.class, archive, PostgresInstallation::unpack);
    }

    private static void unpack(InputStream txz, Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(txz)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpackEntry(tar, entry, within(target, entry.getName()));
            }
        }
    }

    private static void unpackEntry(TarArchiveInputStream tar, TarArchiveEntry entry, Path file) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, file);
        if ((entry.getMode() & OWNER_MAY_RUN) != 0 && !file.toFile().setExecutable(true, true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }

    private static Path within(Path target, String name) throws IOException {
        Path file = target.resolve(name).normalize();
        if (!file.startsWith(target)) {
            throw new IOException("archive entry leaves its folder: " + name);
        }
        return file;
    }

    private static final int INIT_SECONDS_MAX = 120;

    /** Data folder, made on first use: aside and then renamed, so that a half-made one is never used. */
    static Path dataFolder(PostgresSettings settings, Path binaries, List<String> prefix) throws IOException {
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
        initialise(ChildCommand.of("initdb", command, settings.log()));
        Files.delete(password);
        return Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void initialise(ChildCommand command) {
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

    private static final List<String> UNSHARE = List.of("unshare", "--user");

    /**
     * Prefix of a command that works in this directory. PostgreSQL refuses to run as root. In a user namespace of its own it sees another
     * user and has none of root's powers, while files of root stay its own.
     */
    static List<String> withoutRoot(Path directory) {
        if (!Executables.isRoot()) {
            return List.of();
        }
        if (Executables.onPath("unshare").isEmpty() || !unshareSucceeds("true")) {
            throw new StartFailure(
                    "PostgreSQL refuses to run as root, and this machine does not let root start it in a user"
                            + " namespace (unshare --user). Run this as another user.");
        }
        if (!unshareSucceeds("test", "-w", directory.toString())) {
            throw new StartFailure("PostgreSQL refuses to run as root, and without root's powers " + directory
                    + " is not writable. Run this as the owner of that folder.");
        }
        return UNSHARE;
    }

    private static boolean unshareSucceeds(String... command) {
        List<String> full = new ArrayList<>(UNSHARE);
        full.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(full)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
