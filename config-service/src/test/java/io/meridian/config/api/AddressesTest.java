package io.meridian.config.api;

import static io.meridian.config.api.Admin.BASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.AdminTokenResource;
import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However an address or a header is spelled, nothing leads past the token. */
@ServiceTest
class AddressesTest {
    private static final String TOKEN = AdminTokenResource.TOKEN;
    private static final String POLICY = Sample.POLICIES.entry("hostile", 1);

    @Inject
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin/api/v1/policies/%00",
                "/admin/api/v1/policies/a%00b",
                "/admin/api/v1/deny-list/user_id:%00",
                "/admin/api/v1/deny-list/user_id:%ff",
                "/admin/api/v1/deny-list/user_id:%ed%a0%80",
                "/admin/api/v1/deny-list/user_id:%zz",
                "/admin/api/v1/deny-list/user_id:%",
                "/admin/api/v1/deny-list/user_id:%c3",
                "/admin/api/v1/policies?scope=%00",
                "/admin/api/v1/policies?scope=%ff%fe",
                "/admin/api/v1/policies?scope=%zz",
                "/admin/api/v1/policies?%00=1",
                "/admin/api/v1/policies?%",
                "/admin/api/v1/policies?=",
                "/admin/api/v1/policies?cursor=AAAA",
                "/admin/api/v1/policies?cursor=%ff",
                "/admin/api/v1/policies?cursor=7aCA",
                "/admin/api/v1/policies?limit=%D9%A1",
                "/admin/api/v1/audit?kind=%00",
                "/admin/api/v1/tokens/%00",
                "/admin/api/v1/deny-list/:",
                "/admin/api/v1/overrides/::",
                "/admin/api/v1/overrides/sample:ip:999.1.1.1",
                "/admin/api/v1/policies/a\u00e9b",
                "/admin/api/v1/policies/\u0001"
            })
    void an_address_of_the_wrong_form_is_refused(String target) {
        for (String method : List.of("GET", "DELETE")) {
            int status = new RawHttp(method, target).as(TOKEN).send().status();
            assertThat(status).as(method).isBetween(200, 499).isNotEqualTo(204);
            if (!target.contains("?")) {
                assertThat(status).as(method).isBetween(400, 499);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//admin/api/v1//policies",
                "/admin/api/v1/policies;x=1",
                "/admin;x=1/api/v1/policies",
                "/admin/api/v1/./policies",
                "/admin/api/v1/tokens/../policies",
                "/admin/api/v1/%2e%2e/v1/policies",
                "/q/../admin/api/v1/policies",
                "/q/health/..%2f..%2fadmin/api/v1/policies",
                "/admin%2fapi%2fv1%2fpolicies",
                "/admin/api/v1/policies/",
                "/admin/api/v1/policies%2f",
                "/ADMIN/api/v1/policies",
                "/admin/api/v1/%70olicies",
                "/admin/api/v1/policies%20",
                "/admin/api/v1/policies%00",
                "/admin/api/v1/policies?dry_run=true",
                "http://localhost/admin/api/v1/policies",
                "http://elsewhere/admin/api/v1/policies",
                "/admin/api/v1/policies#x",
                "\\admin\\api\\v1\\policies",
                "/admin/api/v1\\policies",
                "*"
            })
    void no_spelling_of_an_address_leads_past_the_token(String target) {
        Ledger before = Ledger.of(database);
        for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "TRACE", "CONNECT", "get", "X")) {
            RawHttp call = new RawHttp(method, target);
            RawHttp.Answer answer = (method.startsWith("P") ? call.json(POLICY) : call).send();
            assertThat(answer.status()).as("%s %s", method, answer.text()).isBetween(400, 499);
            assertThat(answer.text()).doesNotContain("token_bucket");
        }
        assertThat(Ledger.of(database)).isEqualTo(before);
    }

    @Test
    void a_token_counts_in_one_place_and_form_only() {
        for (String header : List.of(
                "Authorization: " + TOKEN,
                "Authorization: Basic " + TOKEN,
                "Authorization: Bearer: " + TOKEN,
                "Authorization: Bearer" + TOKEN,
                "Authorization: Bearer " + TOKEN + " x",
                "Authorization: Bearer " + TOKEN + "," + TOKEN,
                "Authorization: Bearer " + TOKEN.toUpperCase(Locale.ROOT),
                "Authorization: Bearer " + TOKEN.substring(1),
                "Proxy-Authorization: Bearer " + TOKEN,
                "Cookie: token=" + TOKEN,
                "Authorization: Bearer x\r\nAuthorization: Bearer " + TOKEN,
                "X-Authorization: Bearer " + TOKEN)) {
            assertThat(new RawHttp("GET", BASE + "policies")
                            .header(header)
                            .send()
                            .status())
                    .as(header)
                    .isEqualTo(401);
        }
        assertThat(new RawHttp("GET", BASE + "policies?access_token=" + TOKEN)
                        .send()
                        .status())
                .isEqualTo(401);
        assertThat(new RawHttp("GET", BASE + "policies")
                        .header("authorization: bearer " + TOKEN)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void headers_of_the_wrong_form_are_refused() {
        for (String header : List.of(
                "If-Match: 1",
                "If-Match: \"1",
                "If-Match: ",
                "If-Match: \"" + "1".repeat(2_000) + "\"",
                "If-Match: \"\u00e9\"",
                "If-None-Match: \"1\"",
                "If-None-Match: *\r\nIf-Match: *",
                "Content-Type: nonsense",
                "Content-Type: application/json; charset=nonsense",
                "Content-Type: /",
                "X-Long: " + "x".repeat(20_000))) {
            RawHttp call = new RawHttp("PUT", BASE + "policies/sample?dry_run=true")
                    .as(TOKEN)
                    .header(header);
            if (!header.startsWith("Content-Type")) {
                call.header("Content-Type: application/json");
            }
            RawHttp.Answer answer = call.body(Sample.POLICIES.entry("sample", 9).getBytes(StandardCharsets.UTF_8))
                    .send();
            assertThat(answer.status()).as(header).isLessThan(500).isPositive();
            if (header.startsWith("If-")) {
                assertThat(answer.status()).as(header).isEqualTo(400);
            }
        }
    }
}
