package io.meridian.config;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import org.junit.jupiter.api.Test;

@ServiceTest
class HealthAndMetricsTest {
    @Test
    void it_is_alive() {
        get("/q/health/live").then().statusCode(200).body("status", equalTo("UP"));
    }

    @Test
    void its_own_check_says_that_it_is_ready() {
        get("/q/health/ready")
                .then()
                .statusCode(200)
                .body("status", equalTo("UP"))
                .body("checks.name", hasItem("config-service"));
    }

    @Test
    void it_counts_what_it_does() {
        get("/q/metrics").then().statusCode(200).body(containsString("jvm_memory_used_bytes"));
    }

    @Test
    void it_describes_its_api() {
        get("/q/openapi").then().statusCode(200).body(containsString("Meridian config-service"));
    }
}
