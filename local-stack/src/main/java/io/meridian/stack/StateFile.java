package io.meridian.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** The state of a stack on disk. Readers see a whole one or none: it is replaced by renaming. */
public final class StateFile {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            // A later build may write more than this one knows; one that wrote less has not written enough.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private StateFile() {}

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

    /** Empty too when it cannot be understood: whoever wrote it counts as crashed. */
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
}
