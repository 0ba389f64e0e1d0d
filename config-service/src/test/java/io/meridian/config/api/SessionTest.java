package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.config.api.Admin.anonymous;
import static io.meridian.config.api.Admin.as;
import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.meridian.config.AdminTokenResource;
import io.meridian.config.ServiceTest;
import io.restassured.http.Cookie;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console's sessions over plain HTTP, with the requests that another site, or an attacker, would make. */
@ServiceTest
class SessionTest {
    private static final String TIER = "{\"name\": \"of-a-session\"}";

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        admin().delete("tiers/of-a-session");
    }

    /** Signed-in browser. */
    private record Browser(String secret, String csrfToken) {
        static Browser signedIn(String token) {
            return of(as(token).post("session"));
        }

        static Browser of(Response signIn) {
            signIn.then().statusCode(201);
            return new Browser(signIn.getCookie(PresentedCredential.COOKIE), signIn.path("csrf_token"));
        }

        RequestSpecification cookieOnly() {
            return anonymous().cookie(PresentedCredential.COOKIE, secret);
        }

        RequestSpecification page() {
            return cookieOnly().header(PresentedCredential.CSRF_HEADER, csrfToken);
        }
    }

    private static Browser signedIn() {
        return Browser.signedIn(AdminTokenResource.TOKEN);
    }

    @Test
    void a_token_is_exchanged_for_a_cookie_that_neither_scripts_nor_other_sites_can_use() {
        Response signIn = admin().post("session");
        Cookie cookie = signIn.getDetailedCookie(PresentedCredential.COOKIE);

        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(cookie.getSameSite()).isEqualToIgnoringCase("Strict");
        assertThat(cookie.getPath()).isEqualTo("/admin/api/v1");
        assertThat(cookie.getMaxAge()).as("it ends with the browser").isEqualTo(-1);
        assertThat(signIn.asString()).doesNotContain(cookie.getValue()).doesNotContain(AdminTokenResource.TOKEN);
        signIn.then()
                .header("Cache-Control", "no-store")
                .body("role", equalTo("admin"))
                .body("ends_at", notNullValue());
    }

    @Test
    void a_session_reads_and_changes_as_its_token_does() {
        Browser browser = signedIn();

        browser.cookieOnly().get("policies").then().statusCode(200).header("Cache-Control", "no-store");
        browser.page().body(TIER).post("tiers").then().statusCode(201);
        browser.cookieOnly()
                .get("session")
                .then()
                .statusCode(200)
                .body("name", startsWith("bootstrap"))
                .body("csrf_token", equalTo(browser.csrfToken()));
        admin().get("session").then().statusCode(200).body("csrf_token", nullValue());
    }

    @Test
    void a_change_with_the_cookie_alone_is_refused_as_forged() {
        Browser browser = signedIn();

        browser.cookieOnly()
                .body(TIER)
                .post("tiers")
                .then()
                .statusCode(403)
                .body("type", endsWith("cross-site"))
                .body("detail", containsString("X-CSRF-Token"));
        browser.cookieOnly().delete("policies/any").then().statusCode(403).body("type", endsWith("cross-site"));
        browser.cookieOnly().delete("session").then().statusCode(403);
        admin().get("tiers/of-a-session").then().statusCode(404);
    }

    @Test
    void the_csrf_token_of_another_session_is_no_good() {
        Browser victim = signedIn();
        Browser attacker = signedIn();

        victim.cookieOnly()
                .header(PresentedCredential.CSRF_HEADER, attacker.csrfToken())
                .body(TIER)
                .post("tiers")
                .then()
                .statusCode(403);
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, https://evil.example",
        "Origin, null",
        "Origin, http://[",
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site"
    })
    void a_change_that_a_browser_says_another_site_makes_is_refused(String header, String value) {
        Browser browser = signedIn();

        browser.page()
                .header(header, value)
                .body(TIER)
                .post("tiers")
                .then()
                .statusCode(403)
                .body("type", endsWith("cross-site"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
    void a_form_of_another_site_changes_nothing(String type) throws Exception {
        RawHttp.Answer answer = new RawHttp("POST", Admin.BASE + "tiers")
                .header("Cookie: " + PresentedCredential.COOKIE + "="
                        + signedIn().secret())
                .header("Content-Type: " + type)
                .body(TIER.getBytes(StandardCharsets.UTF_8))
                .send();

        assertThat(answer.status()).as(answer.text()).isIn(403, 415);
        admin().get("tiers/of-a-session").then().statusCode(404);
    }

    @Test
    void a_call_with_a_token_needs_no_csrf_token_even_beside_a_cookie() {
        Browser browser = signedIn();

        admin().cookie(PresentedCredential.COOKIE, browser.secret())
                .body(TIER)
                .post("tiers")
                .then()
                .statusCode(201);
    }

    @Test
    void a_sign_out_ends_the_session_at_the_server() {
        Browser browser = signedIn();

        browser.page().delete("session").then().statusCode(204).cookie(PresentedCredential.COOKIE, "");

        browser.cookieOnly()
                .get("policies")
                .then()
                .statusCode(401)
                .body("detail", containsString("the session has ended"));
    }

    @Test
    void a_new_sign_in_ends_the_session_before_it() {
        Browser earlier = signedIn();

        Browser later = Browser.of(
                admin().cookie(PresentedCredential.COOKIE, earlier.secret()).post("session"));

        assertThat(later.secret()).isNotEqualTo(earlier.secret());
        earlier.cookieOnly().get("policies").then().statusCode(401);
    }

    @Test
    void a_revoked_token_ends_its_sessions() {
        Response made = admin().body("{\"name\": \"short-lived\", \"role\": \"editor\"}")
                .post("tokens");
        Browser browser = Browser.signedIn(made.path("token"));
        browser.cookieOnly().get("policies").then().statusCode(200);

        admin().delete("tokens/" + made.path("id")).then().statusCode(204);

        browser.cookieOnly().get("policies").then().statusCode(401);
    }

    @Test
    void a_viewers_session_cannot_do_what_an_editors_can() {
        Browser viewer = Browser.signedIn(Admin.token("viewer"));

        viewer.page().body(TIER).post("tiers").then().statusCode(403).body("type", endsWith("forbidden"));
        viewer.page().delete("policies/any").then().statusCode(403).body("type", endsWith("forbidden"));
        viewer.page().delete("clients/user_id/42/counters").then().statusCode(403);
        viewer.page()
                .body("{\"name\": \"x\", \"role\": \"admin\"}")
                .post("tokens")
                .then()
                .statusCode(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "mrd_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "x", "%00", "a;b"})
    void a_made_up_cookie_is_nobodys(String secret) {
        given().header("Cookie", PresentedCredential.COOKIE + "=" + secret)
                .get(Admin.BASE + "policies")
                .then()
                .statusCode(401);
    }

    @Test
    void a_sign_in_link_signs_in_once_as_the_one_who_made_it() {
        Response link = as(Admin.token("editor")).post("session/links");
        link.then().statusCode(201).header("Cache-Control", "no-store");
        String code = code(link);

        Response signIn =
                anonymous().header("Authorization", "SignInLink " + code).post("session");
        signIn.then().statusCode(201).body("role", equalTo("editor"));
        Browser.of(signIn).cookieOnly().get("policies").then().statusCode(200);

        anonymous()
                .header("Authorization", "SignInLink " + code)
                .post("session")
                .then()
                .statusCode(401)
                .body("detail", containsString("sign-in link"));
    }

    @Test
    void the_code_of_a_link_is_good_for_nothing_but_a_sign_in() {
        String code = code(admin().post("session/links"));

        anonymous()
                .header("Authorization", "SignInLink " + code)
                .get("policies")
                .then()
                .statusCode(401);
        as(code).get("policies").then().statusCode(401);
        anonymous()
                .cookie(PresentedCredential.COOKIE, code)
                .get("policies")
                .then()
                .statusCode(401);
        anonymous()
                .header("Authorization", "SignInLink " + code)
                .post("session/links")
                .then()
                .statusCode(401);

        anonymous()
                .header("Authorization", "SignInLink " + code)
                .post("session")
                .then()
                .statusCode(201);
    }

    private static String code(Response link) {
        String path = link.path("path");
        return path.substring(path.indexOf("code=") + "code=".length());
    }

    @Test
    void forged_calls_are_audited() throws Exception {
        signedIn().cookieOnly().body(TIER).post("tiers").then().statusCode(403);

        eventually("the refusal is in the audit trail").until(() -> admin().get("audit?action=refused&limit=1000")
                .asString()
                .contains("cross-site request"));
    }

    @Test
    void pages_are_delivered_with_headers_that_forbid_frames_inline_scripts_and_other_origins() {
        for (String path : new String[] {"/console/", "/console/app.js", "/console/lib/lit-html/lit-html.js"}) {
            given().get(path)
                    .then()
                    .statusCode(200)
                    .header("X-Content-Type-Options", "nosniff")
                    .header("X-Frame-Options", "DENY")
                    .header("Referrer-Policy", "no-referrer")
                    .header("Cross-Origin-Opener-Policy", "same-origin")
                    .header(
                            "Content-Security-Policy",
                            startsWith("default-src 'none'; script-src 'self'; style-src 'self'"))
                    .header("Content-Security-Policy", containsString("frame-ancestors 'none'"))
                    .header("Content-Security-Policy", org.hamcrest.Matchers.not(containsString("unsafe")));
        }
        given().redirects()
                .follow(false)
                .get("/console")
                .then()
                .statusCode(302)
                .header("Location", endsWith("/console/"));
        given().get("/console/absent.js").then().statusCode(404);
        admin().get("policies").then().header("X-Frame-Options", "DENY").header("X-Content-Type-Options", "nosniff");
    }

    @Test
    void entries_are_found_by_the_beginning_of_their_ids() {
        for (String id : new String[] {"begin-1", "begin-2", "beginning", "other"}) {
            admin().body(Map.of("identifier_type", "user_id", "identifier", id))
                    .post("deny-list")
                    .then()
                    .statusCode(201);
        }

        admin().queryParam("prefix", "user_id:begin-")
                .get("deny-list")
                .then()
                .statusCode(200)
                .body("items", hasSize(2))
                .body("items.identifier", everyItem(startsWith("begin-")));
        admin().queryParam("prefix", "user_id:beg")
                .queryParam("limit", 2)
                .get("deny-list")
                .then()
                .body("next", notNullValue());
        admin().queryParam("prefix", "%")
                .get("deny-list")
                .then()
                .statusCode(200)
                .body("items", hasSize(0));
    }
}
