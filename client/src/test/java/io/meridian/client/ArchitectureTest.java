package io.meridian.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The client itself runs with its two libraries; only filters and metrics know a framework. */
class ArchitectureTest {
    private static final String CLIENT = "io.meridian.client";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(CLIENT);

    @Test
    void the_client_knows_no_framework() {
        knowsNoFramework(CLIENT).check(CLASSES);
    }

    @Test
    void the_rule_finds_an_arrow_to_a_framework() {
        assertThatThrownBy(() -> knowsNoFramework(CLIENT + ".filter").check(CLASSES))
                .isInstanceOf(AssertionError.class);
    }

    private static ArchRule knowsNoFramework(String ofPackage) {
        return classes()
                .that()
                .resideInAPackage(ofPackage)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(CLIENT, "java..", "org.jspecify..", "org.slf4j..", "com.fasterxml.jackson.core..");
    }
}
