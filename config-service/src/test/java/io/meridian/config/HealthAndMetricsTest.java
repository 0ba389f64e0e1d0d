package io.meridian.config;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.meridian.testkit.services.MetricsPage;
import java.util.List;
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
    void the_page_of_metrics_names_what_it_exports() throws Exception {
        eventually("publishing and history have begun")
                .until(() -> rows().size() >= documented().size());

        assertThat(rows()).isEqualTo(documented());
    }

    private static List<String> rows() {
        return MetricsPage.rows(get("/q/metrics").asString());
    }

    private static List<String> documented() {
        return MetricsPage.documented("config-service");
    }

    @Test
    void it_describes_its_api() {
        get("/q/openapi").then().statusCode(200).body(containsString("Meridian config-service"));
    }
}
