package io.meridian.config.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;

/** Calls that are nearly right: a good one with some of its parts replaced, doubled or broken. */
final class FuzzedCalls {
    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "PATCH", "DELETE", "PUT", "PATCH", "POST");
    private static final List<String> COLLECTIONS = List.of(
            "policies",
            "tiers",
            "client-tiers",
            "overrides",
            "allow-list",
            "deny-list",
            "adaptive",
            "changes",
            "audit",
            "revision",
            "tokens",
            "proposals",
            "proposals/1/approve",
            "proposals/1/apply",
            "audit/1/revert",
            "promises",
            "promises/broken",
            "drills",
            "nothing");
    private static final List<String> IDS = List.of(
            "",
            "/fuzz",
            "/user_id:fuzz",
            "/fuzz:user_id:1",
            "/ip:192.0.2.0%2f24",
            "/ip:::1",
            "/%00",
            "/a%2fb",
            "/%ff",
            "/user_id:%f0%9d%84%9e",
            "/;",
            "/adaptive",
            "/user_id:'",
            "/endpoint:x",
            "/x:y:z:");
    private static final List<String> QUERIES = List.of(
            "",
            "",
            "",
            "?dry_run=true",
            "?limit=3",
            "?limit=%31",
            "?cursor=eA",
            "?cursor=",
            "?dry_run=true&dry_run=true",
            "?from=2026-01-01T00:00:00Z",
            "?to=%2b292278994-01-01T00:00:00Z",
            "?scope='",
            "?identifier=%00",
            "?&&",
            "?a=%");
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1",
            "9223372036854775807",
            "9223372036854775808",
            "1e5",
            "1.0",
            "\"\"",
            "\"a\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "[]",
            "{}",
            "[null]",
            "[[\"a\"]]",
            "{\"a\":{\"b\":[]}}",
            "\"month\"",
            "\"1h\"",
            "\"gcra\"",
            "\"fixed_window\"",
            "\"global\"",
            "\"escrow\"",
            "\"overdraft:10\"",
            "\"::1/64\"",
            "\"ip\"",
            "\"user_id\"",
            "\"fuzz\"",
            "\"2026-01-01T00:00:00Z\"",
            "\"+10000-01-01T00:00:00Z\"",
            "\"\uD834\uDD1E\"",
            "[\"endpoint\",\"ip/64\"]",
            "{\"endpoints\":[\"/**\"],\"headers\":{\"\":\"\"}}",
            "100",
            "1000000000");
    private static final List<String> FIELDS = List.of(
            "id",
            "name",
            "description",
            "applies_to",
            "key",
            "algorithm",
            "limit",
            "window",
            "burst",
            "cost",
            "endpoint_costs",
            "scope",
            "mode",
            "on_exhausted",
            "floor_percent",
            "after_heal",
            "action",
            "soft_limit_percent",
            "priority",
            "enabled",
            "protected",
            "attributes",
            "on_failure",
            "adaptive",
            "version",
            "created_at",
            "updated_at",
            "policy",
            "identifier_type",
            "identifier",
            "reason",
            "expires_at",
            "tier",
            "default",
            "steps",
            "changes",
            "role",
            "op",
            "kind",
            "entry");
    private static final List<String> HEADERS = List.of(
            "If-Match: *",
            "If-Match: \"1\"",
            "If-None-Match: *",
            "X-Request-Id: a\u00e9",
            "Accept: text/html",
            "Accept: ;",
            "Accept-Encoding: gzip",
            "Expect: 100-continue",
            "Content-Encoding: gzip",
            "Range: bytes=0-1");

    private final Random random;
    private final String token;
    private String last = "";

    FuzzedCalls(Random random, String token) {
        this.random = random;
        this.token = token;
    }

    /** What the latest one was. */
    String last() {
        return last;
    }

    RawHttp next() {
        String method = one(METHODS);
        String collection = one(COLLECTIONS);
        String target =
                Admin.BASE + collection + (random.nextInt(4) == 0 ? one(IDS) : id(method, collection)) + one(QUERIES);
        RawHttp call = new RawHttp(method, target);
        if (random.nextInt(20) > 0) {
            call.as(token);
        }
        if (random.nextInt(5) == 0) {
            call.header(one(HEADERS));
        }
        String body = method.equals("GET") || method.equals("DELETE") ? "" : body(collection);
        last = method + " " + target + " " + body;
        if (body.isEmpty()) {
            return call;
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(10) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        String type = random.nextInt(20) == 0 ? "text/plain" : "application/json";
        return call.header("Content-Type: " + type).body(bytes);
    }

    /** What makes the call one that may succeed. */
    private static String id(String method, String collection) {
        for (Sample sample : Sample.values()) {
            if (sample.collection.equals(collection) && !method.equals("POST")) {
                return "/" + sample.id("fuzz");
            }
        }
        return "";
    }

    private String body(String collection) {
        String entry = entry(collection);
        if (!collection.equals("changes") && !collection.equals("proposals")) {
            return entry;
        }
        String kind = one(List.of("policy", "tier", "client-tier", "override", "allow", "deny", "adaptive", "x"));
        String put = "{\"op\":\"put\",\"kind\":\"" + kind + "\",\"entry\":" + entry(kind) + "}";
        String delete = "{\"op\":\"delete\",\"kind\":\"" + kind + "\",\"id\":" + one(VALUES) + "}";
        String reason = collection.equals("changes")
                ? ""
                : "\"reason\":" + (random.nextInt(4) == 0 ? one(VALUES) : "\"fuzz\"") + ",";
        return "{" + reason + "\"changes\":[" + (random.nextBoolean() ? put : delete)
                + (random.nextBoolean() ? "," + put : "") + "]}";
    }

    private String entry(String of) {
        String good =
                switch (of) {
                    case "policies", "policy" -> Sample.POLICIES.entry("fuzz", 1 + random.nextInt(9));
                    case "tiers", "tier" -> Sample.TIERS.entry("fuzz", random.nextInt(9));
                    case "client-tiers", "client-tier" -> Sample.CLIENT_TIERS.entry("fuzz", 1 + random.nextInt(3));
                    case "overrides", "override" -> Sample.OVERRIDES.entry("fuzz", 1 + random.nextInt(9));
                    case "adaptive" ->
                        "{\"steps\":[{\"load_percent\":100,\"limit_percent\":" + (1 + random.nextInt(99)) + "}]}";
                    default -> Sample.DENY_LIST.entry("fuzz", random.nextInt(9));
                };
        StringBuilder changed = new StringBuilder(good.substring(0, good.length() - 1));
        for (int i = random.nextInt(3); i > 0; i--) {
            String field = one(FIELDS);
            String value = one(VALUES);
            String replaced = changed.toString()
                    .replaceFirst("(\"" + field + "\": ?)[^,}]+", "$1" + Matcher.quoteReplacement(value));
            if (!replaced.contentEquals(changed)) {
                changed = new StringBuilder(replaced);
            } else if (of.startsWith("polic") || random.nextInt(4) == 0) {
                changed.append(",\"").append(field).append("\":").append(value);
            }
        }
        String whole = changed + "}";
        return random.nextInt(30) == 0 ? whole.substring(random.nextInt(whole.length())) + " " : whole;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
