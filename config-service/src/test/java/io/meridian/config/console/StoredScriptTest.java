package io.meridian.config.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.Page;
import io.meridian.config.AdminTokenResource;
import io.meridian.config.history.DemoHistory;
import io.meridian.config.history.HistoryConfig;
import io.meridian.testkit.Await;
import jakarta.inject.Inject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scripts, directions and lengths in every text that a stranger may store or put into an address: shown, never run. */
@ConsoleTest
class StoredScriptTest {
    private static final String SCRIPT = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>";
    private static final String BREAKING = "\"'`}${window.hacked=1}<svg/onload=window.hacked=1>";
    private static final String RIGHT_TO_LEFT = "\u202egnp.exe \u0645\u0631\u062d\u0628\u0627";

    @Inject
    @SuppressWarnings("NullAway.Init")
    HistoryConfig history;

    @BeforeEach
    void ready() throws Exception {
        ConsoleBrowser.require();
        ConsoleDemo.ready(history);
    }

    @Test
    void stored_scripts_are_text_on_every_screen() throws Exception {
        String id = "user_id:" + SCRIPT;
        admin().body(Map.of(
                        "id",
                        "odd",
                        "name",
                        SCRIPT,
                        "description",
                        BREAKING,
                        "key",
                        List.of("user_id"),
                        "algorithm",
                        "fixed_window",
                        "limit",
                        5,
                        "window",
                        "1m",
                        "applies_to",
                        Map.of("endpoints", List.of("/<script>"), "headers", Map.of("x-odd", SCRIPT))))
                .post("policies?allow_unknown=true");
        admin().body(Map.of("name", "odd-tier", "description", SCRIPT))
                .post("tiers")
                .then()
                .statusCode(201);
        admin().body(Map.of("identifier_type", "user_id", "identifier", SCRIPT, "tier", "odd-tier"))
                .post("client-tiers")
                .then()
                .statusCode(201);
        admin().body(Map.of("identifier_type", "user_id", "identifier", SCRIPT, "reason", BREAKING))
                .post("deny-list")
                .then()
                .statusCode(201);
        admin().body(Map.of(
                        "identifier_type",
                        "user_id",
                        "identifier",
                        "\u05d0".repeat(200),
                        "reason",
                        "\u0645".repeat(200)))
                .post("allow-list")
                .then()
                .statusCode(201);
        admin().body(Map.of("policy", "free-per-day", "identifier_type", "user_id", "identifier", SCRIPT, "limit", 3))
                .post("overrides")
                .then()
                .statusCode(201);
        admin().body(Map.of("name", "<b onclick=window.hacked=1>", "role", "viewer"))
                .post("tokens")
                .then()
                .statusCode(201);
        DemoHistory.tell(
                ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class),
                history,
                "free-per-day",
                List.of("user_id=" + SCRIPT, "user_id=" + BREAKING),
                List.of("eu-west"));
        Await.eventually("the odd keys are recorded")
                .until(() -> admin().get("violations?policy=free-per-day")
                                .<List<?>>path("items")
                                .size()
                        >= 2);

        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "stored-scripts", page -> {
            for (String address : List.of(
                    "",
                    "policies",
                    "policies/odd",
                    "policies/odd/edit",
                    "tiers",
                    "client-tiers",
                    "deny-list",
                    "allow-list",
                    "overrides",
                    "violations",
                    "clients",
                    "clients/user_id/" + encoded(SCRIPT),
                    "audit",
                    "audit?kind=deny",
                    "tokens",
                    "policies/free-per-day",
                    "deny-list?edit=" + encoded(id))) {
                page.navigate(ConsoleBrowser.url() + "/console/#/" + address);
                shownAsText(page, address);
            }
            page.navigate(ConsoleBrowser.url() + "/console/#/deny-list");
            assertThat(page.locator("table")).containsText("<script>window.hacked=1</script>");
        });
    }

    @Test
    void scripts_in_an_address_are_text_too() throws Exception {
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "reflected-scripts", page -> {
            for (String text : List.of(SCRIPT, BREAKING, RIGHT_TO_LEFT, "x".repeat(512), "%", "%E0%A4%A")) {
                for (String address : List.of(
                        encoded(text),
                        "policies?text=" + encoded(text),
                        "policies/" + encoded(text),
                        "clients/" + encoded(text) + "/" + encoded(text),
                        "violations?policy=" + encoded(text),
                        "audit?actor=" + encoded(text),
                        "audit/" + encoded(text),
                        "deny-list?prefix=" + encoded(text),
                        "deny-list?edit=" + encoded(text),
                        "overrides?add=1&set-policy=" + encoded(text),
                        "what-if?policy=" + encoded(text),
                        "policies?scope=" + encoded(text),
                        "sign-in?to=" + encoded(text))) {
                    page.navigate(ConsoleBrowser.url() + "/console/#/" + address);
                    shownAsText(page, address);
                }
            }
        });
    }

    private static void shownAsText(Page page, String address) {
        assertThat(page.locator("h1")).hasCount(1);
        assertThat(page.locator(".loading")).hasCount(0);
        assertThat(page.evaluate("() => window.hacked")).as(address).isNull();
        assertThat(page.locator("main script, main img[onerror], main b[onclick]"))
                .hasCount(0);
    }

    @Test
    void a_script_that_got_into_a_page_would_not_run_and_would_be_found() {
        assertThatThrownBy(() -> ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, "control", page -> {
                    page.evaluate("() => { const image = document.createElement('img');"
                            + " try { image.setAttribute('onerror', 'window.hacked=1'); } catch { /* Trusted Types */ }"
                            + " image.setAttribute('src', '/console/absent.png'); document.body.append(image); }");
                    page.waitForFunction("() => [...document.images].every((each) => each.complete)");
                    assertThat(page.evaluate("() => window.hacked")).isNull();
                }))
                .hasMessageContaining("the browser complained");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
