package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;

import io.meridian.config.ServiceTest;
import io.restassured.response.Response;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies that can never match, and what is said of them. */
@ServiceTest
class PolicyWarningsTest {
    private static final String POLICY = """
            {"id": "warned", "key": [%s], "algorithm": "fixed_window", "limit": 5, "window": "1m",
             "applies_to": {"tiers": [%s], "methods": ["GET"]}}""";
    private static final String MISSPELT = POLICY.formatted("\"tenant\", \"userid\"", "");
    private static final String OF_NOBODY = POLICY.formatted("\"user_id\"", "\"golden\"");

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @Test
    void a_key_of_an_attribute_that_no_caller_sends_is_warned_of_by_every_change_and_none_is_refused() {
        var warning = contains(allOf(containsString("policy warned: key"), containsString("is user_id meant?")));
        admin().body(MISSPELT)
                .post("policies?dry_run=true")
                .then()
                .statusCode(200)
                .body("warnings", warning);
        admin().body(MISSPELT).post("policies").then().statusCode(201).body("warnings", warning);
        admin().body(MISSPELT).put("policies/warned").then().statusCode(200).body("warnings", warning);
        admin().body("{\"limit\": 6}")
                .patch("policies/warned")
                .then()
                .statusCode(200)
                .body("warnings", warning);
        changes("", MISSPELT).then().statusCode(200).body("warnings", warning);
        changes("?dry_run=true", MISSPELT).then().statusCode(200).body("warnings", warning);

        admin().body("{\"key\": [\"tenant\", \"ip/24\", \"endpoint\"]}")
                .patch("policies/warned")
                .then()
                .statusCode(200)
                .body("warnings", empty());
        admin().delete("policies/warned").then().statusCode(204);
    }

    @Test
    void a_tier_that_does_not_exist_is_refused_by_name_unless_it_is_allowed() {
        admin().body(OF_NOBODY)
                .post("policies")
                .then()
                .statusCode(422)
                .body("type", equalTo("urn:meridian:problem:invalid"))
                .body("errors.field", contains("applies_to.tiers"), "errors.value", contains("golden"))
                .body("errors[0].rule", containsString("allow_unknown=true"));
        admin().body(OF_NOBODY).put("policies/warned?dry_run=true").then().statusCode(422);
        changes("", OF_NOBODY).then().statusCode(422).body("errors.field", contains("changes[0].applies_to.tiers"));
        admin().body(OF_NOBODY).post("policies?allow_unknown=perhaps").then().statusCode(400);
        admin().get("policies/warned").then().statusCode(404);

        changes("?dry_run=true&allow_unknown=true", OF_NOBODY)
                .then()
                .statusCode(200)
                .body("warnings", contains(containsString("matches no check until there is")));
        admin().body(OF_NOBODY)
                .post("policies?allow_unknown=true")
                .then()
                .statusCode(201)
                .body("warnings", contains(containsString("names golden, and there is no such tier")));
        admin().delete("policies/warned").then().statusCode(204);
    }

    @Test
    void a_tier_of_the_same_set_of_changes_exists_and_one_that_goes_with_it_does_not() {
        String tier = "{\"op\": \"put\", \"kind\": \"tier\", \"entry\": {\"name\": \"golden\"}}, ";
        admin().body("{\"changes\": [" + tier + put(OF_NOBODY) + "]}")
                .post("changes")
                .then()
                .statusCode(200)
                .body("warnings", empty());
        admin().body("{\"changes\": [{\"op\": \"delete\", \"kind\": \"tier\", \"id\": \"golden\"}, " + put(OF_NOBODY)
                        + "]}")
                .post("changes")
                .then()
                .statusCode(422)
                .body("errors.field", contains("changes[1].applies_to.tiers"));
        admin().delete("tiers/golden?dry_run=true")
                .then()
                .statusCode(200)
                .body("warnings", contains("policy warned: applies_to.tiers names a tier that is deleted"));
        admin().delete("policies/warned").then().statusCode(204);
        admin().delete("tiers/golden").then().statusCode(204);
    }

    private static Response changes(String parameters, String policy) {
        return admin().body("{\"changes\": [" + put(policy) + "]}").post("changes" + parameters);
    }

    private static String put(String policy) {
        return "{\"op\": \"put\", \"kind\": \"policy\", \"entry\": " + policy + "}";
    }
}
