package io.meridian.stack;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between the packages of the local stack. */
class ArchitectureTest {
    private static final JavaClasses STACK = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.stack");

    @Test
    void packages_depend_inward_only() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("process")
                .definedBy("io.meridian.stack.process")
                .layer("fault")
                .definedBy("io.meridian.stack.fault")
                .layer("server")
                .definedBy("io.meridian.stack.server")
                .layer("topology")
                .definedBy("io.meridian.stack.topology")
                .layer("rulebook")
                .definedBy("io.meridian.stack.rulebook")
                .layer("run")
                .definedBy("io.meridian.stack.run")
                .layer("fixture")
                .definedBy("io.meridian.stack.fixture")
                .layer("cli")
                .definedBy("io.meridian.stack.cli")
                .whereLayer("process")
                .mayNotAccessAnyLayer()
                .whereLayer("fault")
                .mayNotAccessAnyLayer()
                .whereLayer("topology")
                .mayNotAccessAnyLayer()
                .whereLayer("rulebook")
                .mayNotAccessAnyLayer()
                .whereLayer("server")
                .mayOnlyAccessLayers("process")
                .whereLayer("fixture")
                .mayOnlyAccessLayers("process", "server", "fault")
                .whereLayer("run")
                .mayOnlyAccessLayers("process", "server", "fault", "topology", "rulebook")
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer()
                .check(STACK);
    }
}
