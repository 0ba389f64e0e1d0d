package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.meridian.config.ServiceTest;
import io.meridian.config.regions.FakeLimiters;
import io.meridian.config.regions.KnownRegions;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of entries, page by page and filtered. */
@ServiceTest
@Timeout(900)
class PagesTest {
    @Inject
    @SuppressWarnings("NullAway.Init")
    KnownRegions regions;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
        regionsAreHeard();
    }

    /** Nobody can judge a region's name before any region was heard of. */
    private void regionsAreHeard() throws Exception {
        if (!regions.names().isEmpty()) {
            return;
        }
        String servers = ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class);
        try (FakeLimiters limiters = new FakeLimiters(servers)) {
            limiters.runs("eu", "a", 0, FakeLimiters.answering("eu", "a"));
            eventually("the region is known").until(() -> regions.names().contains("eu"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void pages_follow_each_other(Sample of) {
        for (int i = 0; i < 7; i++) {
            admin().body(of.entry("page-" + i, 1)).put(of.path("page-" + i));
        }
        List<String> whole = admin().get(of.collection + "?limit=1000").path(idField(of));
        List<String> walked = new ArrayList<>();
        String next = "";
        do {
            Response page = admin().get(of.collection + "?limit=3" + (next.isEmpty() ? "" : "&cursor=" + next));
            page.then().statusCode(200);
            List<String> ids = page.path(idField(of));
            assertThat(ids).hasSizeLessThanOrEqualTo(3);
            walked.addAll(ids);
            String cursor = page.path("next");
            next = cursor == null ? "" : cursor;
        } while (!next.isEmpty());

        assertThat(walked).isEqualTo(whole).doesNotHaveDuplicates().isSorted();
        assertThat(walked).contains(of.id("page-0"), of.id("page-6"));
    }

    private static String idField(Sample of) {
        return of == Sample.TIERS ? "items.name" : "items.id";
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=1001", "limit=-1", "limit=x", "limit=", "limit=1&limit=2", "cursor=%21"})
    void a_page_that_cannot_be_is_refused(String query) {
        admin().urlEncodingEnabled(false)
                .get("policies?" + query)
                .then()
                .statusCode(400)
                .body("type", equalTo("urn:meridian:problem:malformed-query"))
                .body("errors.field", hasItem(query.replaceAll("=.*", "")));
    }

    @Test
    void lists_are_filtered_by_their_fields() {
        admin().body(Sample.OVERRIDES.entry("filtered", 5)).put(Sample.OVERRIDES.path("filtered"));
        admin().body(Sample.CLIENT_TIERS.entry("filtered", 2)).put(Sample.CLIENT_TIERS.path("filtered"));

        admin().get("overrides?policy=sample&identifier=filtered").then().body("items.limit", equalTo(List.of(5)));
        admin().body(Sample.POLICIES.entry("other", 1)).put(Sample.POLICIES.path("other"));
        admin().get("overrides?policy=other&identifier=filtered").then().body("items", equalTo(List.of()));
        admin().delete(Sample.POLICIES.path("other")).then().statusCode(204);
        admin().get("overrides?policy=other").then().statusCode(200).body("items", equalTo(List.of()));
        admin().get("client-tiers?tier=sample-2").then().body("items.identifier", hasItem("filtered"));
        admin().get("client-tiers?tier=sample-3&identifier=filtered").then().body("items", equalTo(List.of()));
        admin().get("policies?enabled=false&scope=global").then().statusCode(200);
        admin().get("policies?algorithm=token_bucket").then().body("items.id", hasItem("sample"));
    }

    @ParameterizedTest
    @CsvSource({
        "policies, scope, galactic",
        "policies, mode, Escrow",
        "policies, algorithm, token-bucket",
        "policies, action, allow",
        "policies, enabled, yes",
        "tiers, default, 1",
        "client-tiers, tier, nobody-has-it",
        "client-tiers, tier, '???'",
        "client-tiers, identifier_type, User",
        "overrides, policy, nobody-made-it",
        "overrides, identifier_type, endpoint",
        "allow-list, identifier_type, ''",
        "deny-list, identifier_type, a b",
        "audit, action, painted",
        "audit, kind, policies",
        "violations, policy, nobody-made-it",
        "violations, region, atlantis",
        "top-offenders, policy, nobody-made-it",
        "top-offenders, region, atlantis",
        "hot-keys, policy, nobody-made-it",
        "hot-keys, region, atlantis",
        "policies/sample/usage, region, atlantis",
    })
    void a_filter_by_what_nothing_can_have_is_refused_and_named(String path, String parameter, String value) {
        admin().queryParam(parameter, value)
                .get(path)
                .then()
                .statusCode(422)
                .body("type", equalTo("urn:meridian:problem:invalid"))
                .body("errors.field", equalTo(List.of(parameter)))
                .body("errors.value", equalTo(List.of(value)));
    }

    @ParameterizedTest
    @CsvSource({
        "client-tiers, identifier, nobody",
        "overrides, identifier_type, color",
        "overrides, policy, sample",
        "client-tiers, tier, sample-3",
        "deny-list, identifier, nobody",
        "audit, actor, nobody",
        "audit, id, nobody",
        "audit, kind, adaptive",
        "audit, action, reset_done",
        "violations, key, user_id=nobody",
        "violations, policy, sample",
        "violations, region, eu",
        "hot-keys, region, eu",
    })
    void a_filter_by_what_may_be_is_answered_with_what_there_is(String path, String parameter, String value) {
        admin().queryParam(parameter, value).get(path).then().statusCode(200);
    }
}
