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
                .layer("faults")
                .definedBy("io.meridian.stack.faults")
                .layer("servers")
                .definedBy("io.meridian.stack.servers")
                .layer("plan")
                .definedBy("io.meridian.stack.plan")
                .layer("rules")
                .definedBy("io.meridian.stack.rules")
                .layer("stack")
                .definedBy("io.meridian.stack")
                .layer("admin")
                .definedBy("io.meridian.stack.admin")
                .layer("cli")
                .definedBy("io.meridian.stack.cli")
                .whereLayer("process")
                .mayNotAccessAnyLayer()
                .whereLayer("faults")
                .mayNotAccessAnyLayer()
                .whereLayer("plan")
                .mayNotAccessAnyLayer()
                .whereLayer("rules")
                .mayNotAccessAnyLayer()
                .whereLayer("servers")
                .mayOnlyAccessLayers("process")
                .whereLayer("stack")
                .mayOnlyAccessLayers("process", "servers", "faults", "plan", "rules")
                .whereLayer("admin")
                .mayOnlyAccessLayers("process", "plan", "rules", "stack")
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer()
                .check(STACK);
    }
}
