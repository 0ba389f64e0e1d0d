package io.meridian.drill.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BuiltInDrillsTest {
    static Stream<String> names() {
        return DrillFile.BUILT_IN.stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void every_built_in_drill_is_one_and_undoes_what_it_does(String name) throws Exception {
        Drill drill = DrillFile.builtIn(name);

        assertThat(drill.name()).isEqualTo(name);
        assertThat(drill.description()).isNotBlank();
        assertThat(drill.rollbacks()).isNotEmpty();
        drill.load().requireWithinBounds(5);
    }

    @Test
    void every_file_of_a_drill_is_in_the_list() throws Exception {
        try (var files = Files.list(Path.of("src/main/resources/drills"))) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(DrillFile.BUILT_IN);
        }
    }
}
