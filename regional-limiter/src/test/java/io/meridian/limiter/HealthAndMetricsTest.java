package io.meridian.limiter;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.meridian.testkit.services.MetricsPage;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class HealthAndMetricsTest {
    @Test
    void it_is_alive() {
        get("/q/health/live").then().statusCode(200).body("status", equalTo("UP"));
    }

    @Test
    void its_own_check_says_that_it_is_ready() throws Exception {
        eventually("it is warm").until(() -> get("/q/health/ready").statusCode() == 200);
        get("/q/health/ready")
                .then()
                .statusCode(200)
                .body("status", equalTo("UP"))
                .body("checks.name", hasItem("regional-limiter"));
    }

    @Test
    void it_counts_what_it_does() {
        get("/q/metrics")
                .then()
                .statusCode(200)
                .body(containsString("jvm_memory_used_bytes"))
                .body(containsString("meridian_limiter_checks_total"));
    }

    @Test
    void the_page_of_metrics_names_what_it_exports() {
        assertThat(MetricsPage.documented("regional-limiter"))
                .containsAll(MetricsPage.rows(get("/q/metrics").asString()));
    }

    @Test
    void it_describes_its_api() {
        get("/q/openapi").then().statusCode(200).body(containsString("Meridian regional-limiter"));
    }
}
