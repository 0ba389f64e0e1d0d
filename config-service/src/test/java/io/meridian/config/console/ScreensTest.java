package io.meridian.config.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.meridian.config.AdminTokenResource;
import io.meridian.config.history.HistoryConfig;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every screen as it is shown: drawn without a complaint, accessible in light and dark, and usable on a phone. */
@ConsoleTest
class ScreensTest {
    @Inject
    @SuppressWarnings("NullAway.Init")
    HistoryConfig history;

    @BeforeEach
    void ready() throws Exception {
        ConsoleBrowser.require();
        ConsoleDemo.ready(history);
    }

    @Test
    void the_sign_in_is_accessible() throws Exception {
        ConsoleBrowser.visit("sign-in", page -> look(page, "sign-in", "Sign in"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "overview | | Overview",
                "policies | policies | Policies",
                "policies-none | policies?text=nothing-has-this | Policies",
                "policy | policies/world-exports | world-exports",
                "editor | policies/free-per-minute/edit | Edit free-per-minute",
                "editor-new | policies/new | New policy",
                "clients | clients | Clients",
                "client | clients/user_id/42 | user_id 42",
                "tiers | tiers | Tiers",
                "client-tiers | client-tiers | Client tiers",
                "overrides | overrides?add=true | Overrides",
                "allow-list | allow-list | Allow list",
                "deny-list | deny-list | Deny list",
                "import | deny-list/import | Import into the deny list",
                "violations | violations | Violations",
                "explain | explain?check=user_id | Request tester",
                "what-if | what-if?policy=free-per-minute&limit=30 | What if",
                "promises | promises | Promises",
                "proposals | proposals | Proposals",
                "audit | audit | Audit",
                "change | audit/1 | Change 1",
                "drills | drills | Drills",
                "tokens | tokens | Tokens",
                "health | settings | Health",
                "api | api?text=regions | API reference",
                "not-found | no/such/page | There is no such page"
            })
    void a_screen_is_drawn_and_accessible(String name, String address, String heading) throws Exception {
        ConsoleBrowser.visitAs(AdminTokenResource.TOKEN, name, page -> {
            page.navigate(ConsoleBrowser.url() + "/console/#/" + (address == null ? "" : address));
            look(page, name, heading);
        });
    }

    private static void look(Page page, String name, String heading) {
        assertThat(page.locator("h1")).hasText(heading);
        assertThat(page.locator(".loading")).hasCount(0);
        for (ColorScheme scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            assertThat(ConsoleBrowser.findings(page)).as("%s, %s", name, scheme).isEmpty();
            ConsoleBrowser.screenshot(page, name + (scheme == ColorScheme.LIGHT ? "" : "-dark"));
        }
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        page.setViewportSize(ConsoleBrowser.PHONE, 844);
        assertThat(page.evaluate("() => document.documentElement.scrollWidth"))
                .as("%s fits a phone's width", name)
                .isEqualTo(ConsoleBrowser.PHONE);
        ConsoleBrowser.screenshot(page, name + "-phone");
    }
}
