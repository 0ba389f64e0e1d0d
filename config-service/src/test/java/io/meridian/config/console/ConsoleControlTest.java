package io.meridian.config.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.meridian.config.api.Admin.admin;
import static io.meridian.config.api.Admin.as;
import static org.hamcrest.Matchers.equalTo;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.meridian.config.AdminTokenResource;
import io.meridian.config.api.Admin;
import io.meridian.config.history.HistoryConfig;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes by two people, reverts, tenant admins, drills and the request tester, in a browser. */
@ConsoleTest
class ConsoleControlTest {
    @Inject
    @SuppressWarnings("NullAway.Init")
    HistoryConfig history;

    @BeforeEach
    void ready() throws Exception {
        ConsoleBrowser.require();
        ConsoleDemo.ready(history);
    }

    private static void open(Page page, String address) {
        page.navigate(ConsoleBrowser.url() + "/console/#/" + address);
    }

    private static void press(Page page, String name) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(name).setExact(true))
                .click();
    }

    private static void answer(Page page, String name) {
        page.getByRole(AriaRole.DIALOG)
                .getByRole(
                        AriaRole.BUTTON,
                        new com.microsoft.playwright.Locator.GetByRoleOptions()
                                .setName(name)
                                .setExact(true))
                .click();
    }

    @Test
    void a_change_is_reverted_from_the_audit_trail() throws Exception {
        ConsoleDemo.small("reverted");
        admin().body("{\"limit\": 77}").patch("policies/reverted").then().statusCode(200);
        int row = admin().get("audit?kind=policy&id=reverted&limit=1").path("items[0].id");
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "revert", page -> {
            open(page, "audit/" + row);
            press(page, "Revert…");
            assertThat(page.getByRole(AriaRole.DIALOG)).containsText("77");
            answer(page, "Revert 1 change");
            assertThat(page.locator("#toasts")).containsText("in effect again");

            admin().body("{\"limit\": 78}").patch("policies/reverted").then().statusCode(200);
            open(page, "audit/" + row);
            press(page, "Revert…");
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("must be reverted first");
        });
        admin().get("policies/reverted").then().body("limit", equalTo(78));
    }

    @Test
    void a_protected_policy_changes_by_a_proposal_that_a_second_person_approves() throws Exception {
        ConsoleDemo.small("guarded");
        admin().body("{\"protected\": true}").patch("policies/guarded").then().statusCode(200);
        String author = Admin.token("author", "editor");
        String approver = Admin.token("approver", "editor");
        String[] address = new String[1];
        ConsoleBrowser.visitAs(author, "propose", page -> {
            open(page, "policies/guarded");
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Propose a change"))
                    .click();
            String changes = page.locator("#n-changes").inputValue();
            page.locator("#n-changes").fill(changes.replace("\"limit\": 10", "\"limit\": 99"));
            page.locator("#n-reason").fill("<b>the sale</b>");
            press(page, "Propose");
            assertThat(page.locator("main")).containsText("another editor has to approve it");
            assertThat(page.locator("main")).containsText("<b>the sale</b>");
            assertThat(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Approve")))
                    .hasCount(0);
            address[0] = page.url().substring(page.url().indexOf('#') + 2);
        });
        ConsoleBrowser.visitAs(approver, "approve", page -> {
            open(page, address[0]);
            press(page, "Approve");
            answer(page, "Approve");
            press(page, "Apply");
            answer(page, "Apply");
            assertThat(page.locator("main")).containsText("applied");
        });
        admin().get("policies/guarded").then().body("limit", equalTo(99));
    }

    @Test
    void a_request_is_explained() throws Exception {
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "explain", page -> {
            open(page, "explain");
            press(page, "Explain");
            assertThat(page.locator("main")).containsText("Policies in the order of evaluation");
            assertThat(page.locator("tr", new Page.LocatorOptions().setHasText("pro-per-minute"))
                            .last())
                    .containsText("tier");
            org.assertj.core.api.Assertions.assertThat(ConsoleBrowser.findings(page))
                    .isEmpty();
        });
    }

    @Test
    void a_published_drill_is_opened() throws Exception {
        as(Admin.token("editor"))
                .body(Map.of(
                        "drill",
                        "cut-one-region",
                        "title",
                        "A region is cut off",
                        "target",
                        "the test",
                        "started_at",
                        "2026-01-15T10:00:00Z",
                        "ended_at",
                        "2026-01-15T10:01:30Z",
                        "verdict",
                        "held",
                        "sentence",
                        "The limits held.",
                        "promises",
                        List.of(Map.of(
                                "promise", "bound of escrow", "verdict", "held", "description", "at most 500 of 500")),
                        "journal",
                        Map.of("status", "completed"),
                        "report",
                        "<!doctype html><title>report</title><p>12 windows</p>"))
                .post("drills")
                .then()
                .statusCode(201);
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "drill", page -> {
            open(page, "drills");
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("A region is cut off"))
                    .click();
            assertThat(page.locator("main")).containsText("at most 500 of 500");
            Page report = page.waitForPopup(
                    () -> page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Open the report"))
                            .click());
            assertThat(report.locator("body")).containsText("12 windows");
        });
    }

    @Test
    void a_tenant_admin_sees_the_policies_of_the_tenant_alone() throws Exception {
        ConsoleDemo.small("of-nobody");
        String token = admin().body(Map.of("name", "acme", "role", "tenant_admin", "tenant", "acme"))
                .post("tokens")
                .path("token");
        ConsoleBrowser.visitAs(token, "tenant-admin", page -> {
            assertThat(page.locator("h1")).hasText("Policies");
            assertThat(page.locator("nav")).not().containsText("Audit");
            assertThat(page.locator("main")).not().containsText("of-nobody");
            open(page, "policies/of-nobody");
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("there is no");
        });
    }
}
