package io.meridian.service;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Each package of the kit is of use alone, and none knows a service. */
class ArchitectureTest {
    private static final JavaClasses KIT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.service");

    @Test
    void packages_do_not_depend_on_each_other() {
        slices().matching("io.meridian.service.(*)")
                .should()
                .notDependOnEachOther()
                .check(KIT);
    }

    @Test
    void of_our_own_code_the_kit_knows_the_model_alone() {
        ownCode("io.meridian.model..", "io.meridian.service..").check(KIT);
    }

    @Test
    void the_rule_finds_an_arrow_that_points_outward() {
        assertThatThrownBy(() -> ownCode("io.meridian.service..").check(KIT)).isInstanceOf(AssertionError.class);
    }

    private static ArchRule ownCode(String... ours) {
        String[] allowed = new String[ours.length + 10];
        System.arraycopy(ours, 0, allowed, 0, ours.length);
        System.arraycopy(
                new String[] {
                    "java..",
                    "jakarta..",
                    "org.jspecify..",
                    "org.apache.kafka..",
                    "org.jboss.logging..",
                    "io.smallrye.config..",
                    "io.vertx.core..",
                    "com.fasterxml.jackson..",
                    "org.eclipse.microprofile.config..",
                    "io.smallrye.common.."
                },
                0,
                allowed,
                ours.length,
                10);
        return classes().should().onlyDependOnClassesThat().resideInAnyPackage(allowed);
    }
}
