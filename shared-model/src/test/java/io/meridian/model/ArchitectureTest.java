package io.meridian.model;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The arrows between the packages of the core, all of which point inward. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.model");

    private static final ArchRule ARROWS = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("validation")
            .definedBy("io.meridian.model.validation")
            .layer("access")
            .definedBy("io.meridian.model.access")
            .layer("algorithm")
            .definedBy("io.meridian.model.algorithm")
            .layer("policy")
            .definedBy("io.meridian.model.policy")
            .layer("match")
            .definedBy("io.meridian.model.match")
            .layer("rules")
            .definedBy("io.meridian.model.rules")
            .layer("decision")
            .definedBy("io.meridian.model.decision")
            .layer("counter")
            .definedBy("io.meridian.model.counter")
            .layer("lease")
            .definedBy("io.meridian.model.lease")
            .layer("usage")
            .definedBy("io.meridian.model.usage")
            .layer("wire")
            .definedBy("io.meridian.model.wire")
            .layer("hash")
            .definedBy("io.meridian.model.hash")
            .layer("time")
            .definedBy("io.meridian.model.time")
            .whereLayer("hash")
            .mayNotAccessAnyLayer()
            .whereLayer("validation")
            .mayNotAccessAnyLayer()
            .whereLayer("time")
            .mayNotAccessAnyLayer()
            .whereLayer("access")
            .mayOnlyAccessLayers("validation")
            .whereLayer("algorithm")
            .mayOnlyAccessLayers("validation")
            .whereLayer("policy")
            .mayOnlyAccessLayers("validation", "algorithm")
            .whereLayer("match")
            .mayOnlyAccessLayers("validation", "algorithm", "policy", "hash")
            .whereLayer("rules")
            .mayOnlyAccessLayers("validation", "algorithm", "policy")
            .whereLayer("decision")
            .mayOnlyAccessLayers("algorithm", "policy", "match")
            .whereLayer("usage")
            .mayOnlyAccessLayers("validation", "algorithm", "policy")
            .whereLayer("counter")
            .mayOnlyAccessLayers("algorithm", "policy", "match", "usage")
            .whereLayer("lease")
            .mayOnlyAccessLayers("algorithm", "policy", "match", "counter", "usage")
            .whereLayer("wire")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("time")
            .mayNotBeAccessedByAnyLayer();

    @Test
    void packages_depend_inward_only() {
        ARROWS.check(CORE);
    }

    @Test
    void the_rule_finds_an_arrow_that_points_outward() {
        ArchRule upsideDown = layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("policy")
                .definedBy("io.meridian.model.policy")
                .layer("match")
                .definedBy("io.meridian.model.match")
                .whereLayer("match")
                .mayNotAccessAnyLayer();

        assertThatThrownBy(() -> upsideDown.check(CORE)).isInstanceOf(AssertionError.class);
    }

    @Test
    void the_core_knows_no_framework_and_does_no_io() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.meridian.model..",
                        "java.lang..",
                        "java.math..",
                        "java.time..",
                        "java.util..",
                        "java.nio.charset..",
                        "java.io..",
                        "java.security..",
                        "org.jspecify..",
                        "com.fasterxml.jackson..",
                        "com.google.protobuf..")
                .check(CORE);
        noClasses()
                .that()
                .resideOutsideOfPackage("io.meridian.model.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson..", "com.google.protobuf..", "java.io..")
                .check(CORE);
        // Digests are functions; random numbers are not.
        noClasses()
                .that()
                .resideOutsideOfPackage("io.meridian.model.access..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.security..")
                .check(CORE);
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.security.SecureRandom")
                .check(CORE);
    }
}
