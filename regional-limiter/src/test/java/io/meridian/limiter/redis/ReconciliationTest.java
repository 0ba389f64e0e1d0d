package io.meridian.limiter.redis;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.fixture.RedisUnderTest;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The job that looks after a region's keys, on a real Redis. */
@QuarkusTest
@WithTestResource(RedisUnderTestResource.class)
@Timeout(300)
class ReconciliationTest {
    @SuppressWarnings("NullAway.Init") // by the resource
    RedisUnderTest redis;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    Reconciliation reconciliation;

    @Test
    void a_key_without_an_end_gets_one_and_the_life_has_none() throws Exception {
        given().contentType("application/json")
                .body("{\"attributes\": {\"user_id\": \"ann\"}, \"endpoint\": \"/\"}")
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(200);
        assertThat(redis.ask("SET", "left-behind", "1")).isEqualTo("+OK");

        Reconciliation.Found first = reconciliation.scan();
        Reconciliation.Found second = reconciliation.scan();

        assertThat(first.keys()).isGreaterThanOrEqualTo(2);
        assertThat(first.endless()).isEqualTo(1);
        assertThat(second.endless()).isZero();
        assertThat(second.forgotten()).isZero();
        assertThat(redis.ask("PTTL", "left-behind")).isNotEqualTo(":-1");
        assertThat(redis.ask("PTTL", Life.KEY)).isEqualTo(":-1");
    }
}
