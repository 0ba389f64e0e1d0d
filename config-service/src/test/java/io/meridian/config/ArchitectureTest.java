package io.meridian.config;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;

/** The API stands on what it shows, and all of it on the store. */
class ArchitectureTest {
    private static final String NEEDS = "io.meridian.config.api.AccessFilter.RequiresRole";
    private static final JavaClasses SERVICE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.meridian.config");
    private static final DescribedPredicate<JavaMethod> ANSWERS_CALLS =
            DescribedPredicate.describe("answer calls", method -> method.getAnnotations().stream()
                    .anyMatch(each -> each.getRawType().isMetaAnnotatedWith(HttpMethod.class)
                            || each.getRawType().isAnnotatedWith(HttpMethod.class)));

    @Test
    void nothing_depends_on_the_api() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.meridian.config.api..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.meridian.config.api..")
                .check(SERVICE);
    }

    @Test
    void the_store_depends_on_nothing_of_ours() {
        storeAlone("io.meridian.config.database..").check(SERVICE);
    }

    @Test
    void the_rulebook_depends_on_the_store_only() {
        noClasses()
                .that()
                .resideInAPackage("io.meridian.config.rules..")
                .should()
                .dependOnClassesThat(ofOurs().and(DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(
                        "io.meridian.config.rules..", "io.meridian.config.database.."))))
                .check(SERVICE);
    }

    @Test
    void the_rule_finds_an_arrow_that_points_outward() {
        assertThatThrownBy(() -> storeAlone("io.meridian.config.rules..").check(SERVICE))
                .isInstanceOf(AssertionError.class);
    }

    private static ArchRule storeAlone(String store) {
        return noClasses()
                .that()
                .resideInAPackage(store)
                .should()
                .dependOnClassesThat(
                        ofOurs().and(DescribedPredicate.not(JavaClass.Predicates.resideInAPackage(store))));
    }

    private static DescribedPredicate<JavaClass> ofOurs() {
        return JavaClass.Predicates.resideInAPackage("io.meridian.config..");
    }

    @Test
    void whatever_answers_a_call_says_which_role_it_needs() {
        methods().that(ANSWERS_CALLS).should().beAnnotatedWith(NEEDS).check(SERVICE);
        assertThat(SERVICE.stream()
                        .flatMap(each -> each.getMethods().stream())
                        .filter(ANSWERS_CALLS)
                        .count())
                .as("methods that the rule finds")
                .isGreaterThanOrEqualTo(15);
    }

    @Test
    void only_the_api_answers_calls() {
        classes()
                .that()
                .areAnnotatedWith(Path.class)
                .should()
                .resideInAPackage("io.meridian.config.api..")
                .check(SERVICE);
    }
}
