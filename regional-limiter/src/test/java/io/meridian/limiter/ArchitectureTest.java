package io.meridian.limiter;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Floor plan of the limiter: its rooms, and for each the rooms that it may enter. Adapters point inward: nothing that decides knows where
 * counters live, who calls, or who is told.
 */
class ArchitectureTest {
    private static final JavaClasses LIMITER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.limiter");

    private static final Map<String, List<String>> ROOMS = new LinkedHashMap<>();

    static {
        room("api", "http", "caller", "decide", "operations", "region");
        room("envoy", "http", "caller", "decide");
        room("http", "caller", "decide", "region");
        room("caller", "metrics", "file");
        room("decide", "lease", "region", "rules", "metrics");
        room("operations", "decide", "lease", "region", "rules", "metrics");
        room("lease", "region", "metrics");
        room("region");
        room("fallback", "region", "metrics");
        room("lane", "lease", "region", "metrics");
        room("redis", "lane", "lease", "region", "metrics");
        room("rules", "metrics", "file");
        room("global", "lease", "region", "rules", "metrics");
        room("control", "operations", "decide", "region", "rules", "metrics");
        room("decisionlog", "decide", "metrics");
        room("file");
        room("metrics");
    }

    private static void room(String name, String... entered) {
        ROOMS.put(name, Arrays.asList(entered));
    }

    @Test
    void rooms_enter_only_those_that_the_plan_says() {
        LayeredArchitecture plan = rooms();
        for (Map.Entry<String, List<String>> room : ROOMS.entrySet()) {
            plan = room.getValue().isEmpty()
                    ? plan.whereLayer(room.getKey()).mayNotAccessAnyLayer()
                    : plan.whereLayer(room.getKey())
                            .mayOnlyAccessLayers(room.getValue().toArray(String[]::new));
        }
        plan.check(LIMITER);
    }

    @Test
    void no_two_rooms_enter_each_other() {
        slices().matching("io.meridian.limiter.(*)..").should().beFreeOfCycles().check(LIMITER);
    }

    @Test
    void the_rule_finds_an_arrow_that_points_outward() {
        LayeredArchitecture closed = rooms().whereLayer("redis").mayNotAccessAnyLayer();

        assertThatThrownBy(() -> closed.check(LIMITER)).isInstanceOf(AssertionError.class);
    }

    private static LayeredArchitecture rooms() {
        LayeredArchitecture rooms = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String room : ROOMS.keySet()) {
            rooms = rooms.layer(room).definedBy("io.meridian.limiter." + room + "..");
        }
        return rooms;
    }
}
