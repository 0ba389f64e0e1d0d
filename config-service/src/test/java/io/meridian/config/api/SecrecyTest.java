package io.meridian.config.api;

import static io.meridian.config.api.Admin.BASE;
import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.AdminTokenResource;
import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import jakarta.inject.Inject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A token that its owner puts in a wrong place shows up nowhere. */
@ServiceTest
class SecrecyTest {
    private static final Pattern PATH_TAG = Pattern.compile("[{,]uri=\"([^\"]*)\"");

    private final Queue<String> logged = new ConcurrentLinkedQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            StringWriter text = new StringWriter();
            text.append(line.getMessage()).append(Arrays.toString(line.getParameters()));
            if (line.getThrown() != null) {
                line.getThrown().printStackTrace(new PrintWriter(text));
            }
            logged.add(text.toString());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @Inject
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Logger.getLogger("").addHandler(handler);
    }

    @AfterEach
    void done() {
        Logger.getLogger("").removeHandler(handler);
    }

    @Test
    void a_token_in_a_wrong_place_is_in_no_answer_log_audit_row_or_metric() throws Exception {
        String made = Admin.token("editor");
        long refusedBefore = refusedRows();
        for (String secret : List.of(made, AdminTokenResource.TOKEN)) {
            for (RawHttp call : misplaced(secret, made)) {
                RawHttp.Answer answer = call.send();
                assertThat(answer.status()).as(answer.text()).isBetween(400, 499);
                assertThat(answer.text()).doesNotContain(secret).doesNotContain(secret.substring(4));
            }
        }
        Logger.getLogger("io.meridian.config.api.SecrecyTest").warning("the handler hears");
        eventually("refused calls are audited").until(() -> refusedRows() > refusedBefore);

        assertThat(logged).as("what is logged is heard").anyMatch(line -> line.contains("the handler hears"));
        String metrics = get("/q/metrics").asString();
        assertThat(metrics).contains("http_server_requests_seconds_count");
        assertThat(PATH_TAG.matcher(metrics).results().map(tag -> tag.group(1)))
                .as("paths are tags by their collection only")
                .contains("/admin/api/v1/policies/{id}")
                .allMatch(tag -> tag.matches("other|root|[A-Z_]+|/q/[a-z/]+|/admin/api/v1/[a-z-]+(/\\{id})?"));
        for (String secret : List.of(made, AdminTokenResource.TOKEN)) {
            assertThat(logged).noneMatch(line -> line.contains(secret.substring(4)));
            assertThat(metrics).doesNotContain(secret.substring(4));
            assertThat(Ledger.number(
                            database,
                            "SELECT count(*) FROM audit a WHERE strpos(a::text, $1) > 0",
                            secret.substring(4)))
                    .isZero();
        }
    }

    private long refusedRows() {
        return Ledger.number(database, "SELECT count(*) FROM audit WHERE action = 'refused'");
    }

    /** Calls with a secret where none belongs, without a right token and with one. */
    private static List<RawHttp> misplaced(String secret, String token) {
        List<RawHttp> calls = new ArrayList<>();
        for (String path : List.of(
                "policies/" + secret,
                "tiers/" + secret,
                "deny-list/user_id:" + secret,
                "deny-list/" + secret,
                "overrides/" + secret + ":user_id:" + secret,
                "tokens/" + secret,
                secret,
                secret + "/policies",
                "policies?" + secret + "=1",
                "policies?limit=" + secret,
                "policies?cursor=" + secret + "!",
                "audit?from=" + secret,
                "audit?" + secret,
                "revision?access_token=" + secret)) {
            calls.add(new RawHttp("GET", BASE + path));
            calls.add(new RawHttp("GET", BASE + path).as(token));
            calls.add(new RawHttp("DELETE", BASE + path).as(token));
            calls.add(new RawHttp("POST", BASE + path).as(token).json("{"));
        }
        for (String header : List.of(
                "Authorization: " + secret,
                "Authorization: Basic " + secret,
                "Authorization: Bearer " + secret + "x",
                "Authorization: Bearer " + secret + "." + secret + ".x",
                "X-Api-Key: " + secret,
                "Cookie: " + secret + "=" + secret)) {
            calls.add(new RawHttp("GET", BASE + "policies").header(header));
        }
        for (String header : List.of(
                "X-Request-Id: " + secret, "If-Match: " + secret, "If-None-Match: " + secret, "Accept: " + secret)) {
            calls.add(
                    new RawHttp("PUT", BASE + "policies/" + secret).as(token).json(Sample.POLICIES.entry("other", 1)));
            calls.add(new RawHttp("PUT", BASE + "tiers/" + secret).as(token).json(Sample.TIERS.entry("other", 1)));
            calls.add(new RawHttp("PUT", BASE + "policies/x")
                    .as(token)
                    .header(header)
                    .json("{"));
        }
        calls.add(new RawHttp("PUT", BASE + "policies/x")
                .as(token)
                .header("Content-Type: " + secret)
                .body(new byte[] {'{', '}'}));
        for (String body : List.of(
                secret,
                "\"" + secret + "\"",
                "{\"" + secret + "\": 1}",
                "{\"id\": \"" + secret + "\"}",
                "{\"id\": \"x\", \"window\": \"" + secret + "\", \"algorithm\": \"" + secret + "\"}",
                "{\"id\": \"" + secret + "\", \"key\": [\"" + secret + "\"]}",
                "{\"token\": \"" + secret + "\", \"token\": \"" + secret + "\"}",
                "{\"changes\": [{\"op\": \"" + secret + "\", \"kind\": \"" + secret + "\"}]}",
                "{\"changes\": [{\"op\": \"delete\", \"kind\": \"policy\", \"id\": \"" + secret + "\"}]}",
                "{\"name\": \"" + secret + "\", \"role\": \"" + secret + "\"}")) {
            calls.add(new RawHttp("POST", BASE + "policies").as(token).json(body));
            calls.add(new RawHttp("POST", BASE + "changes").as(token).json(body));
            calls.add(new RawHttp("PUT", BASE + "deny-list/user_id:" + secret)
                    .as(token)
                    .json(body));
            calls.add(new RawHttp("POST", BASE + "tokens")
                    .as(AdminTokenResource.TOKEN)
                    .json(body));
        }
        return calls;
    }
}
