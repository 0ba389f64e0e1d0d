package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.meridian.config.ServiceTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of entries, page by page and filtered. */
@ServiceTest
class PagesTest {
    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
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
        admin().get("overrides?policy=other&identifier=filtered").then().body("items", equalTo(List.of()));
        admin().get("client-tiers?tier=sample-2").then().body("items.identifier", hasItem("filtered"));
        admin().get("client-tiers?tier=sample-3&identifier=filtered").then().body("items", equalTo(List.of()));
        admin().get("policies?enabled=false&scope=global").then().statusCode(200);
        admin().get("policies?algorithm=token_bucket").then().body("items.id", hasItem("sample"));
    }
}
