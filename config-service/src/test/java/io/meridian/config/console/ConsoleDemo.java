package io.meridian.config.console;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;

import io.meridian.config.api.Admin;
import io.meridian.config.history.DemoHistory;
import io.meridian.config.history.HistoryConfig;
import io.meridian.config.regions.FakeLimiters;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQueryReply;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/** Data of a demonstration: rules of every kind, five regions that report and answer, recorded traffic. Written once. */
final class ConsoleDemo {
    static final List<String> REGIONS = List.of("ap-northeast", "ap-south", "eu-west", "us-east", "us-west");

    private static final long DAY_MICROS = 86_400_000_000L;
    private static @Nullable FakeLimiters limiters;

    private ConsoleDemo() {}

    static synchronized FakeLimiters ready(HistoryConfig history) throws Exception {
        if (limiters != null) {
            return limiters;
        }
        Admin.awaitReady();
        rules();
        String bootstrap = ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class);
        FakeLimiters made = new FakeLimiters(bootstrap);
        REGIONS.forEach(region -> connect(made, region));
        DemoHistory.tell(
                bootstrap, history, "free-per-minute", List.of("user_id=42", "user_id=7", "user_id=1001"), REGIONS);
        DemoHistory.tell(bootstrap, history, "world-exports", List.of("tenant=acme", "tenant=globex"), REGIONS);
        eventually("the traffic is recorded")
                .until(() -> admin().get("violations?policy=world-exports")
                                        .<List<?>>path("items")
                                        .size()
                                >= 2
                        && admin().get("policies/world-exports/usage").<Integer>path("consumed") > 0);
        eventually("the regions report")
                .until(() -> admin().get("regions").<List<?>>path("items").size() == REGIONS.size());
        limiters = made;
        return made;
    }

    /** The region reports and answers from now on. */
    static void connect(FakeLimiters limiters, String region) {
        int place = REGIONS.indexOf(region);
        int revision = admin().get("revision").path("revision");
        long end = TimeSource.system().wallMicros() / DAY_MICROS * DAY_MICROS + DAY_MICROS;
        limiters.runs(
                region,
                region + "-1",
                revision,
                question -> new RegionQueryReply(
                        question.id(),
                        region,
                        region + "-1",
                        List.of(
                                new RegionQueryReply.Standing(
                                        "free-per-minute",
                                        "user_id=42",
                                        Scope.REGIONAL,
                                        60,
                                        60 - 9L * place,
                                        9L * place,
                                        end),
                                new RegionQueryReply.Standing(
                                        "world-users", "user_id=42", Scope.GLOBAL, 1000, 400, 60L + 30L * place, end)),
                        null));
        limiters.loops(
                region,
                region + "-1",
                new InstanceReport.Loop(110_000 + 9_000L * place, 190_000 + 15_000L * place, 320_000, 120_000, 12));
    }

    private static void rules() {
        tier("{\"name\": \"free\", \"description\": \"Whoever has no other\", \"default\": true}");
        tier(
                "{\"name\": \"pro\", \"description\": \"Paying customers\", \"upgrade_url\": \"https://acme.example/plans\"}");
        policy(
                "free-per-minute",
                "\"name\": \"Free plan, haste\", \"applies_to\": {\"endpoints\": [\"/api/*\"], \"tiers\": [\"free\"]}, \"key\": [\"user_id\"],"
                        + " \"algorithm\": \"sliding_window_counter\", \"limit\": 60, \"window\": \"1m\", \"soft_limit_percent\": 80");
        policy(
                "free-per-day",
                "\"applies_to\": {\"endpoints\": [\"/api/*\"], \"tiers\": [\"free\"]}, \"key\": [\"user_id\"],"
                        + " \"algorithm\": \"fixed_window\", \"limit\": 5000, \"window\": \"1d\"");
        policy(
                "pro-per-minute",
                "\"applies_to\": {\"endpoints\": [\"/api/*\"], \"tiers\": [\"pro\"]}, \"key\": [\"user_id\"],"
                        + " \"algorithm\": \"token_bucket\", \"limit\": 600, \"window\": \"1m\", \"burst\": 100");
        policy(
                "world-exports",
                "\"name\": \"Exports, worldwide\", \"applies_to\": {\"endpoints\": [\"/api/*/export\"], \"methods\": [\"POST\"]}, \"key\": [\"tenant\"],"
                        + " \"algorithm\": \"fixed_window\", \"limit\": 20000, \"window\": \"1d\", \"scope\": \"global\", \"mode\": \"escrow\"");
        policy(
                "world-users",
                "\"key\": [\"user_id\"], \"algorithm\": \"sliding_window_counter\", \"limit\": 1000, \"window\": \"1h\", \"scope\": \"global\", \"action\": \"log_only\"");
        put(
                "client-tiers/user_id:1001",
                "{\"identifier_type\": \"user_id\", \"identifier\": \"1001\", \"tier\": \"pro\"}");
        put(
                "overrides/free-per-minute:user_id:42",
                "{\"policy\": \"free-per-minute\", \"identifier_type\": \"user_id\", \"identifier\": \"42\", \"limit\": 100}");
        put(
                "allow-list/ip:10.0.0.0%2F8",
                "{\"identifier_type\": \"ip\", \"identifier\": \"10.0.0.0/8\", \"reason\": \"our own\"}");
        put(
                "deny-list/api_key:stolen",
                "{\"identifier_type\": \"api_key\", \"identifier\": \"stolen\", \"reason\": \"leaked\", \"expires_at\": \"2030-01-01T00:00:00Z\"}");
        admin().body("{\"limit\": 50}").patch("policies/free-per-minute");
        admin().body("{\"limit\": 60}").patch("policies/free-per-minute");
    }

    private static void tier(String entry) {
        admin().body(entry).post("tiers").then().statusCode(201);
    }

    static void policy(String id, String fields) {
        put("policies/" + id, "{\"id\": \"" + id + "\", " + fields + "}");
    }

    private static void put(String path, String entry) {
        admin().urlEncodingEnabled(false).body(entry).put(path).then().statusCode(201);
    }

    /** A policy of a test. */
    static void small(String id) {
        admin().body(Map.of(
                        "id", id, "key", List.of("user_id"), "algorithm", "fixed_window", "limit", 10, "window", "1m"))
                .put("policies/" + id)
                .then()
                .statusCode(201);
    }
}
