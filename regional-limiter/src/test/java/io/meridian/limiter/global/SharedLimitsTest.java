package io.meridian.limiter.global;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import io.meridian.limiter.kafka.RedisAndKafka;
import io.meridian.limiter.redis.RedisUnderTestResource;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.testkit.servers.RedisUnderTest;
import io.meridian.testkit.servers.ServerResource.KafkaResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A limiter of one region, on a real Redis and a real Kafka, with a leader whose words the test chooses. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(RedisUnderTestResource.class)
@TestProfile(RedisAndKafka.class)
@Timeout(300)
class SharedLimitsTest {
    private static final List<String> POLICIES = List.of(
            policy("world", "fixed_window", "\"scope\":\"global\""),
            policy("bucket", "token_bucket", "\"scope\":\"global\""),
            policy("granted", "fixed_window", "\"scope\":\"global\",\"mode\":\"escrow\""),
            policy(
                    "overdrawn",
                    "fixed_window",
                    "\"scope\":\"global\",\"mode\":\"escrow\",\"on_exhausted\":\"overdraft:20\""),
            policy("own", "fixed_window", "\"scope\":\"regional\""));

    @SuppressWarnings("NullAway.Init") // by the resource
    RedisUnderTest redis;

    @SuppressWarnings("NullAway.Init") // before each test
    private Leader leader;

    @BeforeEach
    void open() throws Exception {
        leader = new Leader(ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class));
        leader.publish(POLICIES);
        eventually("the last policy is in effect").until(() -> !standing("any", "/own")
                .extract()
                .<List<?>>path("limits")
                .isEmpty());
    }

    @AfterEach
    void close() {
        leader.close();
    }

    @Test
    void what_was_used_and_given_back_is_reported_with_the_rule_it_counts_under() throws Exception {
        check("ann", "/world", 3).statusCode(200);
        call("/refund", "ann", "/world", 1).statusCode(200);

        UsageRecord usage = reported("world", "ann", each -> each.count().equals(new UsageCount(3, 1)));
        assertThat(usage.rule().sharing()).isEqualTo(SharingMode.CONVERGE);
        assertThat(usage.rule().limit()).isEqualTo(10);
        assertThat(usage.incarnation().region()).isEqualTo("us-east");
    }

    @Test
    void what_others_used_counts_and_a_limit_that_the_world_has_reached_refuses() throws Exception {
        check("ben", "/world", 3).statusCode(200);
        UsageRecord usage = reported("world", "ben", each -> each.count().taken() == 3);

        leader.say(usage, 5, false, 0, VerdictRecord.KEEP_ALL);
        eventually("the others' use is known").until(() -> remaining("ben", "/world") == 2);
        check("ben", "/world", 3).statusCode(429).body("limits[0].decided_by", equalTo("global"));

        leader.say(usage, 5, true, 0, VerdictRecord.KEEP_ALL);
        eventually("the flag is known").until(() -> remaining("ben", "/world") == 0);
        check("ben", "/world", 1).statusCode(429).body("limits[0].bound_units", greaterThan(9));
    }

    @Test
    void a_bucket_is_charged_with_what_others_used() throws Exception {
        check("cid", "/bucket", 2).statusCode(200);
        UsageRecord usage = reported("bucket", "cid", each -> each.count().taken() == 2);
        assertThat(usage.rule().sharing()).isEqualTo(SharingMode.CONVERGE_RATE);

        leader.say(usage, 6, false, 0, VerdictRecord.KEEP_ALL);
        eventually("the others' use is charged").until(() -> remaining("cid", "/bucket") == 2);
    }

    @Test
    void the_first_check_in_escrow_waits_for_its_grant_and_what_is_called_back_is_returned() throws Exception {
        long before = staleness("dan", "/granted");
        leader.beat();
        eventually("the leader is heard").until(() -> staleness("dan", "/granted") < before);
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> status(check("dan", "/granted", 1)));
        UsageRecord refused = reported("granted", "dan", each -> each.refusedCost() == 1);
        leader.say(refused, 0, false, 4, VerdictRecord.KEEP_ALL);
        assertThat(first.get()).isEqualTo(200);
        assertThat(remaining("dan", "/granted")).isEqualTo(3);

        leader.say(refused, 0, false, 4, 1);
        UsageRecord returned = reported("granted", "dan", each -> each.grantReturned() > 0);
        assertThat(returned.grantReturned()).isEqualTo(2);
        assertThat(remaining("dan", "/granted")).isEqualTo(1);
    }

    @Test
    void a_region_that_hears_the_centre_does_not_overdraw() throws Exception {
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> status(check("ivy", "/overdrawn", 1)));
        UsageRecord refused = reported("overdrawn", "ivy", each -> each.refusedCost() == 1);
        leader.say(refused, 9, false, 1, VerdictRecord.KEEP_ALL);
        assertThat(first.get()).isEqualTo(200);

        check("ivy", "/overdrawn", 1).statusCode(429);
    }

    @Test
    void a_wiped_redis_begins_a_new_life_with_what_was_used_before() throws Exception {
        check("fay", "/world", 4).statusCode(200);
        check("fay", "/own", 4).statusCode(200);
        UsageRecord before = reported("world", "fay", each -> each.count().taken() == 4);

        redis.wipe();
        check("fay", "/world", 1).statusCode(200);
        UsageRecord after = reported("world", "fay", each -> !each.incarnation().equals(before.incarnation()));
        assertThat(after.incarnation().number())
                .isGreaterThan(before.incarnation().number());
        assertThat(after.count()).isEqualTo(new UsageCount(1, 0));
        eventually("its own use is charged again").until(() -> remaining("fay", "/own") == 6);

        leader.say(before, 9, true, 0, VerdictRecord.KEEP_ALL);
        leader.say(after, 4, false, 0, VerdictRecord.KEEP_ALL);
        eventually("what the life before used is known").until(() -> remaining("fay", "/world") == 5);
    }

    @Test
    void a_region_announces_itself_to_the_leader_of_every_partition() throws Exception {
        eventually("the region is announced").until(this::isAnnounced);
        assertThat(leader.announced().values())
                .extracting(each -> each.incarnation().region())
                .containsOnly("us-east");
    }

    @Test
    void a_status_of_a_key_that_the_region_has_not_used_shows_the_use_of_others_as_soon_as_it_is_told()
            throws Exception {
        assertThat(remaining("hal", "/world")).isEqualTo(10);
        UsageRecord asked = reported("world", "hal", each -> true);
        assertThat(asked.count()).isEqualTo(UsageCount.ZERO);

        leader.say(asked, 4, false, 0, VerdictRecord.KEEP_ALL);

        eventually("the others' use is shown").until(() -> remaining("hal", "/world") == 6);
    }

    @Test
    void a_redis_that_is_flushed_is_noticed_without_a_check() throws Exception {
        eventually("the region is announced").until(this::isAnnounced);
        long before =
                leader.announced().values().iterator().next().incarnation().number();

        redis.wipe();

        eventually("another incarnation is announced").until(() -> leader.announced().values().stream()
                .allMatch(each -> each.incarnation().number() > before));
    }

    private boolean isAnnounced() {
        return leader.announced().size() == Leader.PARTITIONS;
    }

    @Test
    void what_a_region_has_for_itself_is_reported_for_the_record() throws Exception {
        check("gil", "/own", 2).statusCode(200);
        UsageRecord usage = reported("own", "gil", each -> each.count().taken() == 2);
        assertThat(usage.rule().sharing()).isEqualTo(SharingMode.REGIONAL);
    }

    private static String policy(String id, String algorithm, String coordination) {
        return "{\"id\":\"%s\",\"key\":[\"user_id\"],\"applies_to\":{\"endpoints\":[\"/%s\"]},\"algorithm\":\"%s\",\"limit\":10,\"window\":\"31d\",%s}"
                .formatted(id, id, algorithm, coordination);
    }

    private UsageRecord reported(String policy, String user, Predicate<UsageRecord> expected) throws Exception {
        eventually(policy + " of " + user + " is reported")
                .until(() ->
                        leader.last(policy, "user_id=" + user).filter(expected).isPresent());
        return leader.last(policy, "user_id=" + user).orElseThrow();
    }

    private static int remaining(String user, String endpoint) {
        return standing(user, endpoint).extract().path("limits[0].remaining");
    }

    private static int staleness(String user, String endpoint) {
        return standing(user, endpoint).extract().path("limits[0].staleness_ms");
    }

    private static ValidatableResponse standing(String user, String endpoint) {
        return given().queryParam("user_id", user)
                .queryParam("endpoint", endpoint)
                .get("/api/v1/rate-limit/status")
                .then();
    }

    private static int status(ValidatableResponse response) {
        return response.extract().statusCode();
    }

    private static ValidatableResponse check(String user, String endpoint, int cost) {
        return call("/check", user, endpoint, cost);
    }

    private static ValidatableResponse call(String path, String user, String endpoint, int cost) {
        return given().contentType("application/json")
                .body("{\"attributes\": {\"user_id\": \"%s\"}, \"endpoint\": \"%s\", \"cost\": %d}"
                        .formatted(user, endpoint, cost))
                .post("/api/v1/rate-limit" + path)
                .then();
    }
}
