package io.meridian.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.process.Probe.ProbeFailure;
import io.meridian.stack.process.ProcessIdentity;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.ProbeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * State file of a running stack, written by its supervisor. Readers see a whole file or none: it is replaced by renaming.
 *
 * @param ready whether the start was complete
 * @param faultsAddress the API of the fault proxies, which live in the supervisor
 */
public record StackState(ProcessIdentity supervisor, boolean ready, String faultsAddress, List<PartState> parts) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            // A later build may write more than this one knows; one that wrote less has not written enough.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    public StackState {
        parts = List.copyOf(parts);
    }

    /** Empty when there is none; one that cannot be understood is a failure that names it. */
    public static Optional<StackState> read(StateFolder folder) throws IOException {
        try {
            return Optional.ofNullable(JSON.readValue(Files.readAllBytes(folder.stateFile()), StackState.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (JsonProcessingException e) {
            throw new StartFailure(
                    folder.stateFile()
                            + " cannot be understood: it is damaged, or of another build. down clears it away.",
                    e);
        }
    }

    /** Empty too when it cannot be understood: its supervisor counts as crashed. */
    static Optional<StackState> readable(StateFolder folder) throws IOException {
        try {
            return read(folder);
        } catch (StartFailure e) {
            return Optional.empty();
        }
    }

    static void write(StateFolder folder, StackState state) throws IOException {
        Path next = folder.root().resolve("state.json.next");
        Files.write(next, JSON.writeValueAsBytes(state));
        Files.move(next, folder.stateFile(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(folder.pidFile(), state.supervisor().pid() + "\n");
    }

    static void delete(StateFolder folder) throws IOException {
        Files.deleteIfExists(folder.stateFile());
        Files.deleteIfExists(folder.pidFile());
    }

    /** The regions that it has, by their Redises. */
    public List<String> regions() {
        return parts.stream()
                .flatMap(part -> PartNames.regionOfRedis(part.name()).stream())
                .toList();
    }

    /**
     * Part as it is written down, enough to probe it later.
     *
     * @param address where users reach it
     * @param target what its probe asks
     * @param stopped whether a drill has ended it, so that it is expected not to run
     */
    public record PartState(
            String name, String address, ProcessIdentity process, ProbeKind kind, String target, boolean stopped) {
        /** Condition of a part, by its process and its probe. */
        public enum Condition {
            READY,
            /** Runs, but does not say that it is ready. */
            DEGRADED,
            /** Stands still, by SIGSTOP. */
            FROZEN,
            /** Does not run, because a drill ended it. */
            STOPPED,
            DEAD
        }

        public Condition condition() {
            if (!process.isAlive()) {
                return stopped ? Condition.STOPPED : Condition.DEAD;
            }
            if (process.isFrozen()) {
                return Condition.FROZEN;
            }
            try {
                kind.at(target).check();
                return Condition.READY;
            } catch (ProbeFailure e) {
                return Condition.DEGRADED;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Condition.DEGRADED;
            }
        }
    }
}
