package io.meridian.sync;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import org.junit.jupiter.api.Test;

/** Rules between the packages: adapters point inward, the aggregate is pure. */
class ArchitectureTest {
    private static final JavaClasses SYNC = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.sync");

    @Test
    void adapters_point_inward() {
        layers().whereLayer("api")
                .mayOnlyAccessLayers("aggregate", "leader", "regions")
                .whereLayer("kafka")
                .mayOnlyAccessLayers("aggregate", "leader", "regions", "ops")
                .whereLayer("leader")
                .mayOnlyAccessLayers("aggregate", "regions", "ops")
                .whereLayer("regions")
                .mayOnlyAccessLayers("ops")
                .whereLayer("ops")
                .mayOnlyAccessLayers("aggregate")
                .whereLayer("aggregate")
                .mayNotAccessAnyLayer()
                .check(SYNC);
    }

    @Test
    void the_rule_finds_an_arrow_that_points_outward() {
        LayeredArchitecture closed = layers().whereLayer("leader").mayNotAccessAnyLayer();

        assertThatThrownBy(() -> closed.check(SYNC)).isInstanceOf(AssertionError.class);
    }

    @Test
    void the_aggregate_is_pure() {
        classes()
                .that()
                .resideInAPackage("io.meridian.sync.aggregate..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.meridian.sync.aggregate..",
                        "io.meridian.model..",
                        "java.lang..",
                        "java.nio.charset..",
                        "java.util..",
                        "org.jspecify..")
                .check(SYNC);
        noClasses()
                .that()
                .resideInAPackage("io.meridian.sync.aggregate..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.meridian.model.time..")
                .check(SYNC);
    }

    @Test
    void only_the_adapter_knows_kafka() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.meridian.sync.kafka..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(SYNC);
    }

    private static LayeredArchitecture layers() {
        return layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("api")
                .definedBy("io.meridian.sync.api..")
                .layer("kafka")
                .definedBy("io.meridian.sync.kafka..")
                .layer("leader")
                .definedBy("io.meridian.sync.leader..")
                .layer("aggregate")
                .definedBy("io.meridian.sync.aggregate..")
                .layer("regions")
                .definedBy("io.meridian.sync.regions..")
                .layer("ops")
                .definedBy("io.meridian.sync.ops..");
    }
}
