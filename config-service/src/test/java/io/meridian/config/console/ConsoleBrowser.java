package io.meridian.config.console;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.meridian.config.api.Admin;
import io.meridian.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Chromium of this machine, driven by Playwright; tests are skipped where there is none. A visit fails on whatever its console
 * complains of, on a request to another origin and on an answer of 500 and above, and leaves a screenshot when it fails.
 */
final class ConsoleBrowser {
    static final int WIDE = 1280;
    static final int PHONE = 390;

    private static final Path SCREENSHOTS = Path.of("target", "console");
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int HEIGHT = 800;
    private static final double DEADLINE_MILLIS = Await.DEADLINE_SECONDS * 1_000.0;
    /** A refusal that a screen shows is also logged by the browser. */
    private static final String REFUSED = "Failed to load resource: the server responded with a status of 4";

    private static final Optional<Browser> BROWSER = start();

    private ConsoleBrowser() {}

    /** Part of a test that acts in a page. */
    interface Visit {
        void act(Page page) throws Exception;
    }

    private static Optional<Browser> start() {
        Optional<Path> program = installed();
        if (program.isEmpty()) {
            System.out.println("[console] SKIPPED: no chromium is installed, so no browser opened the console");
        }
        return program.map(path -> {
            Playwright playwright = Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
            Runtime.getRuntime().addShutdownHook(new Thread(playwright::close, "close-browser"));
            PlaywrightAssertions.setDefaultAssertionTimeout(DEADLINE_MILLIS);
            return playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(path)
                            .setTimeout(DEADLINE_MILLIS)
                            .setArgs(List.of("--no-sandbox", "--disable-gpu")));
        });
    }

    private static Optional<Path> installed() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return NAMES.stream()
                .flatMap(name ->
                        Arrays.stream(path.split(File.pathSeparator, -1)).map(dir -> Path.of(dir, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static void require() {
        assumeTrue(BROWSER.isPresent(), "no chromium is installed");
    }

    static String url() {
        return ConfigProvider.getConfig().getValue("test.url", String.class);
    }

    /** A visit by someone who is not signed in. */
    static void visit(String name, Visit visit) throws Exception {
        open(name, "", visit);
    }

    /** A visit signed in by a link that this token made. */
    static void visitAs(String token, String name, Visit visit) throws Exception {
        open(
                name,
                Admin.as(token)
                        .post("session/links")
                        .then()
                        .statusCode(201)
                        .extract()
                        .path("path"),
                visit);
    }

    private static void open(String name, String link, Visit visit) throws Exception {
        require();
        List<String> complaints = new CopyOnWriteArrayList<>();
        try (BrowserContext context = BROWSER.orElseThrow()
                .newContext(new Browser.NewContextOptions()
                        .setViewportSize(WIDE, HEIGHT)
                        .setLocale("en-GB"))) {
            context.setDefaultTimeout(DEADLINE_MILLIS);
            context.addInitScript(axe());
            Page page = context.newPage();
            page.onConsoleMessage(message -> complain(message, complaints));
            page.onPageError(complaints::add);
            page.onResponse(response -> complain(response, complaints));
            page.onRequest(request -> {
                if (!request.url().startsWith(url())) {
                    complaints.add("a request to " + request.url());
                }
            });
            try {
                page.navigate(url() + (link.isEmpty() ? "/console/" : link));
                if (!link.isEmpty()) {
                    page.locator(".who")
                            .waitFor(new com.microsoft.playwright.Locator.WaitForOptions()
                                    .setState(com.microsoft.playwright.options.WaitForSelectorState.ATTACHED));
                }
                visit.act(page);
                if (!complaints.isEmpty()) {
                    throw new AssertionError("the browser complained: " + complaints);
                }
            } catch (Exception | AssertionError failed) {
                screenshot(page, "FAILED-" + name);
                failed.addSuppressed(new AssertionError("the browser's complaints until then: " + complaints
                        + ", screenshot in " + SCREENSHOTS.toAbsolutePath()));
                throw failed;
            }
        }
    }

    private static void complain(ConsoleMessage message, List<String> complaints) {
        boolean isComplaint = Stream.of("error", "warning").anyMatch(message.type()::equals);
        if (isComplaint && !message.text().startsWith(REFUSED)) {
            complaints.add(message.text());
        }
    }

    private static void complain(Response response, List<String> complaints) {
        boolean isMissingFile = response.status() == 404 && response.url().contains("/console/");
        if (response.status() >= 500 || isMissingFile) {
            complaints.add(response.status() + " of " + response.url());
        }
    }

    /** Screenshot of the window; docs/images has some of these. */
    static void screenshot(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
    }

    /** Serious and critical findings of axe-core on the page as it is shown. */
    static List<String> findings(Page page) {
        Object found = page.evaluate(
                "() => axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations"
                        + ".filter((each) => each.impact === 'serious' || each.impact === 'critical')"
                        + ".map((each) => each.id + ': ' + each.nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')))");
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    private static String axe() {
        try (InputStream script = ConsoleBrowser.class.getResourceAsStream("/axe.min.js")) {
            if (script == null) {
                throw new IllegalStateException("axe.min.js is not on the class path");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
