package io.meridian.drill;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The floor plan of chaos-tests: drills and the simulation know nothing of each other, and drills judge by their history alone. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.drill", "io.meridian.simulation");

    @Test
    void drills_and_the_simulation_do_not_depend_on_each_other() {
        noClasses()
                .that()
                .resideInAPackage("io.meridian.drill..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.meridian.simulation..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.meridian.simulation..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.meridian.drill..")
                .check(CLASSES);
    }

    @Test
    void drills_judge_from_outside() {
        noClasses()
                .that()
                .resideInAPackage("io.meridian.drill..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.meridian.limiter..", "io.meridian.sync..", "io.meridian.config..")
                .check(CLASSES);
    }

    @Test
    void rooms_of_drills_depend_downward_only() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("history")
                .definedBy("io.meridian.drill.history")
                .layer("definition")
                .definedBy("io.meridian.drill.definition")
                .layer("load")
                .definedBy("io.meridian.drill.load")
                .layer("targets")
                .definedBy("io.meridian.drill.targets")
                .layer("checks")
                .definedBy("io.meridian.drill.checks")
                .layer("runner")
                .definedBy("io.meridian.drill.runner")
                .layer("report")
                .definedBy("io.meridian.drill.report")
                .layer("console")
                .definedBy("io.meridian.drill.console")
                .layer("cli")
                .definedBy("io.meridian.drill.cli")
                .whereLayer("history")
                .mayNotAccessAnyLayer()
                .whereLayer("definition")
                .mayOnlyAccessLayers("history")
                .whereLayer("load")
                .mayOnlyAccessLayers("definition", "history")
                .whereLayer("targets")
                .mayOnlyAccessLayers("load", "definition", "history")
                .whereLayer("checks")
                .mayOnlyAccessLayers("definition", "history")
                .whereLayer("runner")
                .mayOnlyAccessLayers("targets", "load", "definition", "history")
                .whereLayer("report")
                .mayOnlyAccessLayers("runner", "checks", "history", "definition")
                .whereLayer("console")
                .mayOnlyAccessLayers("checks", "history")
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer()
                .check(CLASSES);
    }
}
