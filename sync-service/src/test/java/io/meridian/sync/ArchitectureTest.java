package io.meridian.sync;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import org.junit.jupiter.api.Test;

/** Leading knows nothing of who asks about it. */
class ArchitectureTest {
    private static final JavaClasses SYNC = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.sync");

    @Test
    void adapters_point_inward() {
        layers().whereLayer("api")
                .mayOnlyAccessLayers("lead", "region")
                .whereLayer("lead")
                .mayOnlyAccessLayers("region", "metrics")
                .whereLayer("region")
                .mayOnlyAccessLayers("metrics")
                .whereLayer("metrics")
                .mayNotAccessAnyLayer()
                .check(SYNC);
    }

    @Test
    void the_rule_finds_an_arrow_that_points_outward() {
        LayeredArchitecture closed = layers().whereLayer("lead").mayNotAccessAnyLayer();

        assertThatThrownBy(() -> closed.check(SYNC)).isInstanceOf(AssertionError.class);
    }

    private static LayeredArchitecture layers() {
        return layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("api")
                .definedBy("io.meridian.sync.api..")
                .layer("lead")
                .definedBy("io.meridian.sync.lead..")
                .layer("region")
                .definedBy("io.meridian.sync.region..")
                .layer("metrics")
                .definedBy("io.meridian.sync.metrics..");
    }
}
