package io.meridian.sync;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.testkit.services.LimiterSettings;
import io.meridian.testkit.services.MetricsPage;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The whole service on a real Kafka, through its doors. */
@QuarkusTest
@WithTestResource(KafkaWithTopics.class)
class ShardsTest {
    private static final int PARTITIONS = 16;
    private static final long AHEAD_MICROS = 3_600_000_000L;
    private static final LimitKeys KEYS = new LimitKeys(KeySecret.parse(LimiterSettings.KEY_SECRET));

    @Test
    void a_lone_replica_leads_every_partition_and_says_so() throws Exception {
        eventually("it leads all").until(ShardsTest::leadsAll);

        var answer = get("/api/v1/shards").then().statusCode(200).extract().jsonPath();
        assertThat(answer.getString("replica")).isEqualTo("sync-1");
        assertThat(answer.getList("partitions.role")).containsOnly("leader");
        assertThat(answer.getList("partitions.shards", Integer.class))
                .hasSize(PARTITIONS)
                .containsOnly(64);
        assertThat(answer.getList("partitions.epoch", Integer.class))
                .allSatisfy(each -> assertThat(each).isPositive());
        assertThat(answer.getList("partitions.beat_at", String.class))
                .allSatisfy(each -> assertThat(Instant.parse(each)).isAfter(Instant.EPOCH));
    }

    @Test
    void a_region_whose_clock_is_ahead_is_seen_by_the_brokers_clock() throws Exception {
        eventually("it leads all").until(ShardsTest::leadsAll);

        // What was seen of a clock is forgotten after seconds, so it is reported until it is asked for in time.
        eventually("its clock is seen").until(() -> {
            report("ap-south", TimeSource.system().wallMicros() + AHEAD_MICROS);
            return skewMillis("ap-south") != null;
        });
        get("/q/metrics").then().body(containsString("meridian_sync_clock_skew_seconds{region=\"ap-south\"}"));
    }

    @Test
    void it_counts_what_leading_takes() throws Exception {
        eventually("it leads all").until(ShardsTest::leadsAll);

        get("/q/metrics")
                .then()
                .body(containsString("meridian_sync_partitions_led 16.0"))
                .body(containsString("meridian_sync_takeovers_total 16.0"))
                .body(containsString("meridian_sync_transactions_total{outcome=\"committed\"}"))
                .body(containsString("meridian_sync_transaction_seconds_bucket"))
                .body(containsString("meridian_sync_lag "))
                .body(containsString("meridian_sync_anomalies "));
    }

    @Test
    void the_page_of_metrics_names_what_it_exports() throws Exception {
        eventually("it leads all").until(ShardsTest::leadsAll);
        report("eu-west", TimeSource.system().wallMicros());
        eventually("the region is heard").until(() -> regions().contains("eu-west"));

        assertThat(MetricsPage.rows(get("/q/metrics").asString())).isEqualTo(MetricsPage.documented("sync-service"));
    }

    /** It would be a second leader of the limit, and grant it a second time. */
    @Test
    void usage_that_a_limiter_with_another_secret_reports_is_refused_and_counted() throws Exception {
        eventually("it leads all").until(ShardsTest::leadsAll);

        report("misplaced", TimeSource.system().wallMicros(), 1);
        report("placed", TimeSource.system().wallMicros(), 0);
        eventually("it is counted")
                .until(() -> get("/q/metrics").asString().contains("meridian_sync_usage_misplaced_total 1.0"));
        eventually("the other region is heard").until(() -> regions().contains("placed"));
        assertThat(regions()).doesNotContain("misplaced");
    }

    @Test
    void it_describes_the_question() {
        get("/q/openapi").then().statusCode(200).body(containsString("/api/v1/shards"));
    }

    private static void report(String region, long sentMicros) throws Exception {
        report(region, sentMicros, 0);
    }

    private static void report(String region, long sentMicros, int misplacedBy) throws Exception {
        UsageRecord usage = new UsageRecord(
                new LimitWindow("policy", "key", 0),
                new RegionIncarnation(region, 1),
                new WindowRule(1, 100, 60_000_000, SharingMode.CONVERGE, AfterHeal.FORGIVE),
                new UsageCount(3, 0),
                0,
                1,
                0,
                sentMicros);
        String kafka = ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                KafkaSettings.producer(Map.of(), kafka, "region").asMap(),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            int partition = KEYS.shard("policy", "key").partition(PARTITIONS);
            producer.send(new ProducerRecord<>(
                            "usage", (partition + misplacedBy) % PARTITIONS, usage.key(), usage.value()))
                    .get();
        }
    }

    private static @Nullable Float skewMillis(String region) {
        Float skew =
                get("/api/v1/shards").jsonPath().get("regions.find {it.region == '" + region + "'}?.clock_skew_ms");
        if (skew != null) {
            // The way to the broker only makes it smaller; on a busy machine by minutes at most.
            assertThat(skew).isBetween(AHEAD_MICROS / 2_000f, AHEAD_MICROS / 1_000f + 1);
        }
        return skew;
    }

    private static List<String> regions() {
        return get("/api/v1/shards").jsonPath().getList("regions.region", String.class);
    }

    private static boolean leadsAll() {
        List<String> leaders = get("/api/v1/shards").jsonPath().getList("partitions.leader", String.class);
        return leaders.equals(Collections.nCopies(PARTITIONS, "sync-1"));
    }
}
