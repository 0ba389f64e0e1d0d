package io.meridian.config.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import io.meridian.config.AdminTokenResource;
import io.meridian.config.api.Admin;
import io.meridian.config.history.HistoryConfig;
import io.meridian.config.regions.FakeLimiters;
import io.meridian.testkit.TestAmounts;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks of an admin, from the first click to the effect that the admin API shows. */
@ConsoleTest
class ConsoleFlowsTest {
    @Inject
    @SuppressWarnings("NullAway.Init")
    HistoryConfig history;

    private FakeLimiters limiters;

    @BeforeEach
    void ready() throws Exception {
        ConsoleBrowser.require();
        limiters = ConsoleDemo.ready(history);
    }

    private static void open(Page page, String address) {
        page.navigate(ConsoleBrowser.url() + "/console/#/" + address);
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void a_token_signs_in_and_a_wrong_one_is_told_so() throws Exception {
        ConsoleBrowser.visit("sign-in-by-token", page -> {
            page.locator("#token").fill("mrd_wrong");
            button(page, "Sign in").click();
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("not known, has ended or was revoked");

            page.locator("#token").fill(AdminTokenResource.TOKEN);
            page.keyboard().press("Enter");
            assertThat(page.locator("h1")).hasText("Overview");
            assertThat(page.locator(".who")).containsText("admin");
            assertThat((String) page.evaluate("() => document.cookie + JSON.stringify(localStorage)"))
                    .as("what scripts can read")
                    .doesNotContain("mrd_")
                    .doesNotContain(AdminTokenResource.TOKEN);

            page.reload();
            assertThat(page.locator("h1")).hasText("Overview");
            button(page, "Sign out").click();
            assertThat(page.locator("h1")).hasText("Sign in");
            page.reload();
            assertThat(page.locator("h1")).hasText("Sign in");
        });
    }

    @Test
    void a_sign_in_link_works_once() throws Exception {
        String link = admin().post("session/links").path("path");
        ConsoleBrowser.visit("link", page -> {
            page.navigate(ConsoleBrowser.url() + link);
            assertThat(page.locator("h1")).hasText("Overview");
            assertThat(page.url()).as("the code is not kept in the address").doesNotContain("code");
        });
        ConsoleBrowser.visit("used-link", page -> {
            page.navigate(ConsoleBrowser.url() + link);
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("ask for a new one");
        });
    }

    @Test
    void a_session_that_ended_leads_to_the_sign_in() throws Exception {
        String id = admin().body("{\"name\": \"ends\", \"role\": \"admin\"}")
                .post("tokens")
                .path("token");
        ConsoleBrowser.visitAs(id, "ended", page -> {
            open(page, "tokens");
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Revoke ends"))
                    .click();
            button(page, "Revoke 1 token").click();
            assertThat(page.locator("h1")).hasText("Sign in");
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("has ended");
        });
    }

    @Test
    void a_policy_is_created_by_form_with_errors_at_their_fields() throws Exception {
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "create-by-form", page -> {
            open(page, "policies");
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("New policy"))
                    .click();
            page.locator("#p-id").fill("by-form");
            page.locator("#p-limit").fill("-5");
            assertThat(page.locator("#p-limit-error")).containsText("limit must be");
            assertThat(page.locator("#p-limit")).hasAttribute("aria-invalid", "true");
            page.locator("#p-limit").fill("many");
            assertThat(page.locator("#p-limit-error")).containsText("whole number");
            page.locator("#p-limit").fill("250");
            page.locator("#p-applies_to-tiers").fill("gold");
            assertThat(page.locator("#p-applies_to-tiers-error")).containsText("gold");
            page.locator("#p-applies_to-tiers").fill("free, pro");
            page.locator("#p-applies_to-endpoints").fill("/form/*");
            assertThat(page.locator("#text")).hasValue(Pattern.compile("limit: 250"));
            assertThat(page.locator("#text")).hasValue(Pattern.compile("- pro"));

            button(page, "Review and save").click();
            assertThat(page.locator("#review")).containsText("applies_to.tiers");
            button(page, "Create").click();
            assertThat(page.locator("h1")).hasText("by-form");
        });
        admin().get("policies/by-form")
                .then()
                .statusCode(200)
                .body("limit", equalTo(250))
                .body("applies_to.tiers", equalTo(java.util.List.of("free", "pro")));
    }

    @Test
    void a_policy_is_created_by_yaml_which_fills_the_form() throws Exception {
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "create-by-yaml", page -> {
            open(page, "policies/new");
            page.locator("#text").fill("id: [");
            assertThat(page.locator("#text-error")).not().isEmpty();
            assertThat(button(page, "Review and save")).isDisabled();
            page.locator("#text")
                    .fill("id: by-yaml\nkey: [tenant]\nalgorithm: token_bucket\nlimit: 30\nwindow: 1m\nburst: 5\n");
            assertThat(page.locator("#p-id")).hasValue("by-yaml");
            assertThat(page.locator("#p-burst")).hasValue("5");
            page.locator("#p-limit").fill("40");
            page.locator("#format").selectOption("json");
            assertThat(page.locator("#text")).hasValue(Pattern.compile("\"limit\": 40"));
            button(page, "Review and save").click();
            button(page, "Create").click();
            assertThat(page.locator("h1")).hasText("by-yaml");
        });
        admin().get("policies/by-yaml")
                .then()
                .statusCode(200)
                .body("limit", equalTo(40))
                .body("burst", equalTo(5));
    }

    @Test
    void a_conflict_is_a_choice_between_three_versions() throws Exception {
        ConsoleDemo.small("contested");
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "conflict", page -> {
            open(page, "policies/contested/edit");
            page.locator("#p-limit").fill("20");
            page.locator("#p-name").fill("mine");
            admin().body("{\"limit\": 30, \"priority\": 7}")
                    .patch("policies/contested")
                    .then()
                    .statusCode(200);

            button(page, "Review and save").click();
            button(page, "Save").click();
            Locator dialog = page.getByRole(AriaRole.DIALOG);
            assertThat(dialog).containsText("Somebody else changed this policy");
            assertThat(dialog.locator("tr", new Locator.LocatorOptions().setHasText("limit")))
                    .containsText("30");
            assertThat(ConsoleBrowser.findings(page)).isEmpty();
            dialog.getByLabel("30").check();
            button(page, "Combine").click();
            assertThat(page.locator("#review")).containsText("name");
            button(page, "Save").click();
            assertThat(page.locator("h1")).hasText("contested");
        });
        admin().get("policies/contested")
                .then()
                .body("limit", equalTo(30))
                .body("name", equalTo("mine"))
                .body("priority", equalTo(7));
    }

    @Test
    void a_deletion_says_how_much_it_deletes_and_can_be_left() throws Exception {
        ConsoleDemo.small("deleted");
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "delete", page -> {
            open(page, "policies/deleted");
            button(page, "Delete").click();
            assertThat(page.getByRole(AriaRole.DIALOG)).containsText("0 overrides");
            page.keyboard().press("Escape");
            assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
            admin().get("policies/deleted").then().statusCode(200);

            button(page, "Delete").click();
            button(page, "Delete the policy").click();
            assertThat(page.locator("h1")).hasText("Policies");
        });
        admin().get("policies/deleted").then().statusCode(404);
    }

    @Test
    void a_clients_counters_are_reset_in_every_region_after_a_question() throws Exception {
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "reset", page -> {
            open(page, "clients/user_id/42");
            assertThat(page.locator("main")).containsText("world-users");
            button(page, "Reset counters…").click();
            assertThat(page.getByRole(AriaRole.DIALOG)).containsText("5 regions");
            button(page, "Reset in 5 regions").click();
            assertThat(page.locator("#toasts")).containsText("Reset in 5 regions");
        });
        assertThat(limiters.asked()).anyMatch(each -> each.kind().name().equals("RESET"));
    }

    @Test
    void a_list_is_imported_after_a_check_that_names_wrong_lines() throws Exception {
        int lines = TestAmounts.of(2_000, 100_000);
        String good = "identifier_type,identifier,reason\n"
                + IntStream.range(0, lines)
                        .mapToObj(each -> "user_id,imported-" + each + ",test\n")
                        .collect(Collectors.joining());
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "import", page -> {
            open(page, "deny-list/import");
            page.locator("#file").setInputFiles(file("identifier_type,identifier\nip,no-address\n"));
            button(page, "Check the file").click();
            assertThat(page.locator("main")).containsText("1 of 1 lines are wrong");
            assertThat(page.locator("main")).containsText("no-address");

            page.locator("#file").setInputFiles(file(good));
            button(page, "Check the file").click();
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("Import .* lines…")))
                    .click();
            page.getByRole(AriaRole.DIALOG).locator("button.primary").click();
            assertThat(page.locator("main")).containsText(Pattern.compile("Imported [0-9,]+ lines as revision"));
            open(page, "deny-list?prefix=user_id%3Aimported-199");
            assertThat(page.locator("main")).containsText("user_id:imported-1999");
        });
    }

    private static FilePayload file(String content) {
        return new FilePayload("list.csv", "text/csv", content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void an_override_is_added_from_the_clients_page() throws Exception {
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "override", page -> {
            open(page, "overrides?add=true&set-identifier_type=user_id&set-identifier=77");
            page.locator("#e-policy").fill("absent");
            page.locator("#e-limit").fill("9");
            button(page, "Save").click();
            assertThat(page.locator("#e-policy-error")).containsText("absent");
            page.locator("#e-policy").fill("free-per-minute");
            button(page, "Save").click();
            assertThat(page.locator("table")).containsText("user_id:77");
        });
        admin().get("overrides/free-per-minute:user_id:77")
                .then()
                .statusCode(200)
                .body("limit", equalTo(9));
    }

    @Test
    void a_viewer_is_shown_nothing_that_changes_and_is_refused_it_anyway() throws Exception {
        ConsoleDemo.small("looked-at");
        ConsoleBrowser.visitAs(Admin.token("viewer"), "viewer", page -> {
            open(page, "policies/looked-at");
            assertThat(page.locator("h1")).hasText("looked-at");
            assertThat(button(page, "Delete")).hasCount(0);
            assertThat(page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Edit")))
                    .hasCount(0);
            assertThat(page.locator("nav")).not().containsText("Tokens");
            open(page, "clients/user_id/42");
            assertThat(page.locator("main")).containsText("world-users");
            assertThat(button(page, "Reset counters…")).hasCount(0);

            Object status = page.evaluate(
                    "async () => {"
                            + "const own = await (await fetch('/admin/api/v1/session')).json();"
                            + "return (await fetch('/admin/api/v1/policies/looked-at', {method: 'DELETE', headers: {'X-CSRF-Token': own.csrf_token}})).status; }");
            assertThat(status).isEqualTo(403);
        });
        admin().get("policies/looked-at").then().statusCode(200);
    }

    @Test
    void a_cut_link_is_drawn_as_cut_and_its_heal_is_seen() throws Exception {
        try {
            ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "cut", page -> {
                assertThat(page.locator("#connected")).hasText("5 of 5");
                limiters.cut("eu-west", "eu-west-1");
                assertThat(page.locator("g[data-region=eu-west] line.cut")).hasCount(1);
                assertThat(page.locator("g[data-region=us-east] line.cut")).hasCount(0);
                assertThat(page.getByRole(AriaRole.ALERT)).containsText("eu-west (no report for");
                ConsoleBrowser.screenshot(page, "overview-cut");
                ConsoleDemo.connect(limiters, "eu-west");
                assertThat(page.locator("line.cut")).hasCount(0);
            });
        } finally {
            ConsoleDemo.connect(limiters, "eu-west");
        }
    }
}
