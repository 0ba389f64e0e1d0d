package io.meridian.config.console;

import static io.meridian.config.api.Admin.admin;
import static org.hamcrest.Matchers.hasSize;

import io.meridian.config.api.Admin;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.TestAmounts;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** First queries of the screens, with many entries: each is answered with one page. The times are printed. */
@ConsoleTest
class ConsoleAmountsTest {
    private static final int POLICIES = TestAmounts.of(300, 9_000);
    private static final int LINES = TestAmounts.of(3_000, 1_000_000);
    private static final int CALLS = TestAmounts.of(20, 200);
    private static final int CHANGES_PER_CALL = 1_000;
    /** First queries of the overview, the lists, a search and the audit trail. */
    private static final List<String> FIRST_CALLS = List.of(
            "session",
            "regions",
            "policies?limit=100",
            "policies?limit=1000",
            "policies?prefix=amount-29",
            "deny-list?limit=100",
            "deny-list?limit=100&prefix=user_id:amount-29",
            "deny-list?identifier_type=user_id&identifier=amount-299&prefix=user_id:amount-299",
            "audit?limit=100",
            "violations?limit=100",
            "hot-keys?limit=15");

    @BeforeEach
    void fill() throws Exception {
        Admin.awaitReady();
        for (int from = 0; from < POLICIES; from += CHANGES_PER_CALL) {
            change(
                    from,
                    "{\"op\": \"put\", \"kind\": \"policy\", \"entry\": {\"id\": \"amount-%d\", \"key\": [\"user_id\"],"
                            + " \"algorithm\": \"token_bucket\", \"limit\": 5, \"window\": \"1m\", \"enabled\": false}}");
        }
        importLines(
                "merge",
                IntStream.range(0, LINES)
                        .mapToObj(each -> "user_id,amount-" + each + ",many\n")
                        .collect(Collectors.joining()));
    }

    @AfterEach
    void empty() {
        for (int from = 0; from < POLICIES; from += CHANGES_PER_CALL) {
            change(from, "{\"op\": \"delete\", \"kind\": \"policy\", \"id\": \"amount-%d\"}");
        }
        importLines("replace", "user_id,amount-last,the only one\n");
    }

    private static void change(int from, String form) {
        String changes = IntStream.range(from, Math.min(POLICIES, from + CHANGES_PER_CALL))
                .mapToObj(each -> String.format(Locale.ROOT, form, each))
                .collect(Collectors.joining(","));
        admin().body("{\"changes\": [" + changes + "]}").post("changes").then().statusCode(200);
    }

    private static void importLines(String mode, String lines) {
        admin().contentType("text/csv")
                .body(("identifier_type,identifier,reason\n" + lines).getBytes(StandardCharsets.UTF_8))
                .post("imports?list=deny-list&mode=" + mode)
                .then()
                .statusCode(200);
    }

    @Test
    void screens_are_answered_with_one_page_however_many_entries_there_are() {
        for (String call : FIRST_CALLS) {
            long[] nanos = new long[CALLS];
            for (int i = 0; i < CALLS; i++) {
                long before = TimeSource.system().monotonicNanos();
                admin().urlEncodingEnabled(false).get(call).then().statusCode(200);
                nanos[i] = TimeSource.system().monotonicNanos() - before;
            }
            Arrays.sort(nanos);
            System.out.printf(
                    "[console] %,d policies, %,d lines: %-85s p50 %6.1f ms, p99 %6.1f ms%n",
                    POLICIES, LINES, call, nanos[CALLS / 2] / 1e6, nanos[CALLS * 99 / 100] / 1e6);
        }
        admin().get("deny-list?limit=100&prefix=user_id:amount-29").then().body("items", hasSize(100));
    }
}
