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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Floor plan of the module: its rooms, and the arrows between them. */
class ArchitectureTest {
    private static final String MODULE = "io.meridian.config";

    /** The rooms, each with the rooms that it may use. Every arrow points to a room above. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry("database", Set.of()),
            Map.entry("audit", Set.of("database")),
            Map.entry("access", Set.of("audit", "database")),
            Map.entry("console", Set.of("access")),
            Map.entry("rules", Set.of("audit", "database")),
            Map.entry("regions", Set.of("database")),
            Map.entry("ops", Set.of("regions")),
            Map.entry("outbox", Set.of("rules", "ops", "database")),
            Map.entry("history", Set.of("audit", "ops", "database")),
            Map.entry("history.whatif", Set.of("history", "database")),
            Map.entry("explain", Set.of("regions", "rules", "database")),
            Map.entry("proposals", Set.of("rules", "audit", "database")),
            Map.entry("drills", Set.of("audit", "database")),
            Map.entry("live", Set.of("history", "regions", "database")),
            Map.entry("history.promises", Set.of("history", "ops", "regions", "database")),
            Map.entry("imports", Set.of("rules", "audit", "database")),
            Map.entry(
                    "api",
                    Set.of(
                            "access",
                            "audit",
                            "console",
                            "database",
                            "drills",
                            "explain",
                            "history",
                            "history.promises",
                            "history.whatif",
                            "imports",
                            "live",
                            "proposals",
                            "regions",
                            "rules")));

    /** Decisions without input and output. */
    private static final String[] PURE = {
        MODULE + ".rules.ChangePlan",
        MODULE + ".rules.ChangePlan$ReferenceCheck",
        MODULE + ".rules.ChangePlan$MergePatch",
        MODULE + ".rules.NameCheck$Findings",
        MODULE + ".rules.TenantGuard$Ceiling",
        MODULE + ".proposals.Proposal",
        MODULE + ".history.whatif.Replay",
        MODULE + ".drills.PublishedDrill",
        MODULE + ".history.promises.PromiseBound",
        MODULE + ".live.LiveLog"
    };

    private static final JavaClasses SERVICE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(MODULE);
    private static final DescribedPredicate<JavaMethod> ANSWERS_CALLS =
            DescribedPredicate.describe("answer calls", method -> method.getAnnotations().stream()
                    .anyMatch(each -> each.getRawType().isMetaAnnotatedWith(HttpMethod.class)
                            || each.getRawType().isAnnotatedWith(HttpMethod.class)));

    @Test
    void every_package_is_a_room_of_the_plan() {
        Set<String> packages = SERVICE.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());

        assertThat(packages)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of(MODULE), ARROWS.keySet().stream().map(room -> MODULE + "." + room))
                        .toList());
    }

    @Test
    void rooms_use_only_the_rooms_of_their_arrows() {
        ARROWS.forEach((room, used) -> usesOnly(room, used).check(SERVICE));
    }

    @Test
    void no_arrows_form_a_circle() {
        Set<String> placed = new HashSet<>();
        while (placed.size() < ARROWS.size()) {
            List<String> next = ARROWS.keySet().stream()
                    .filter(room -> !placed.contains(room) && placed.containsAll(ARROWS.get(room)))
                    .toList();
            assertThat(next)
                    .as("rooms above which everything is placed: %s", placed)
                    .isNotEmpty();
            placed.addAll(next);
        }
    }

    @Test
    void the_rule_finds_an_arrow_that_is_not_in_the_plan() {
        assertThatThrownBy(() -> usesOnly("rules", Set.of("database")).check(SERVICE))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void decisions_are_pure() {
        pure(PURE).check(SERVICE);
    }

    @Test
    void the_rule_finds_a_decision_that_uses_the_database() {
        assertThatThrownBy(() -> pure(MODULE + ".rules.OverrideFitCheck").check(SERVICE))
                .isInstanceOf(AssertionError.class);
    }

    private static ArchRule usesOnly(String room, Set<String> used) {
        String[] allowed = Stream.concat(Stream.of(room), used.stream())
                .map(each -> MODULE + "." + each)
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(MODULE + "." + room)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(MODULE + "..")
                        .and(DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(allowed))));
    }

    private static ArchRule pure(String... names) {
        return classes()
                .that(DescribedPredicate.describe(
                        "are " + List.of(names), each -> Set.of(names).contains(each.getName())))
                .should()
                .onlyDependOnClassesThat(DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(
                        MODULE + ".database..", "io.vertx..", "io.quarkus..", "org.apache.kafka..", "java.sql..")));
    }

    @Test
    void whatever_answers_a_call_says_which_role_it_needs() {
        methods()
                .that(ANSWERS_CALLS)
                .should()
                .beAnnotatedWith(MODULE + ".api.AccessFilter$RequiresRole")
                .check(SERVICE);
        assertThat(SERVICE.stream()
                        .flatMap(each -> each.getMethods().stream())
                        .filter(ANSWERS_CALLS)
                        .count())
                .as("methods that the rule finds")
                .isGreaterThanOrEqualTo(15);
    }

    @Test
    void tenant_admins_reach_their_session_and_two_resources_which_restrict_them() {
        assertThat(SERVICE.stream()
                        .filter(each -> each.isAnnotatedWith(MODULE + ".api.AccessFilter$OpenToTenantAdmins"))
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder("PoliciesResource", "PolicyUsageResource", "SessionResource");
    }

    @Test
    void only_the_api_answers_calls() {
        classes()
                .that()
                .areAnnotatedWith(Path.class)
                .should()
                .resideInAPackage(MODULE + ".api..")
                .check(SERVICE);
    }
}
