package io.meridian.sync;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
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
                .body("checks.name", hasItem("sync-service"));
    }

    @Test
    void it_counts_what_it_does() {
        get("/q/metrics").then().statusCode(200).body(containsString("jvm_memory_used_bytes"));
    }

    @Test
    void it_describes_its_api() {
        get("/q/openapi").then().statusCode(200).body(containsString("Meridian sync-service"));
    }

    @Test
    void without_kafka_it_leads_nothing_and_says_so() {
        get("/api/v1/shards")
                .then()
                .statusCode(200)
                .body("replica", equalTo("sync-1"))
                .body("partitions", empty())
                .body("regions", empty())
                .body("overshoots", empty());
    }
}
