package io.meridian.drill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.DrillFile;
import io.meridian.stack.process.Executables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptHandlerTest {
    private final Path folder;

    InterruptHandlerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void it_is_waited_as_long_as_the_slowest_rollbacks_may_take() throws Exception {
        Drill slow = drill("{type: action, name: undo, pauses: {after: 60}, provider: {type: process, path: ./undo,"
                + " timeout: 600}}");

        assertThat(InterruptHandler.within(List.of(DrillFile.builtIn("cut-one-region"), slow)))
                .isGreaterThanOrEqualTo(Duration.ofMinutes(11))
                .isLessThan(Executables.UNDO_MAX);
    }

    @Test
    void it_is_never_waited_longer_than_the_process_is_left_to_live() throws Exception {
        String kill = "{type: action, name: kill, provider: {type: meridian, func: process, arguments: {action: kill,"
                + " target: kafka}}}";

        assertThat(InterruptHandler.within(
                        List.of(drill("", String.join(", ", java.util.Collections.nCopies(50, kill))))))
                .isEqualTo(Executables.UNDO_MAX);
    }

    private Drill drill(String rollbacks) throws Exception {
        return drill(rollbacks, "{type: probe, name: n, provider: {type: process, path: 'true'}}");
    }

    private Drill drill(String rollbacks, String method) throws Exception {
        return DrillFile.read(Files.writeString(
                folder.resolve("mine.yaml"), "title: t\nmethod: [%s]\nrollbacks: [%s]\n".formatted(method, rollbacks)));
    }
}
