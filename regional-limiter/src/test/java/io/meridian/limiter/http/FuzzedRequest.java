package io.meridian.limiter.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A request that is well enough framed to be answered, and otherwise whatever chance made of a good one.
 *
 * @param toHead whether its answer has no body
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FuzzedRequest(byte[] bytes, boolean toHead) {
    private static final String BASE = "/api/v1/rate-limit";
    private static final String CHECK = """
            {"attributes": {"user_id": "42", "api_key": "k-1", "ip": "203.0.113.9", "tenant": "acme"},
             "endpoint": "/api/v1/users", "method": "GET", "headers": {"x-plan": "beta"}, "cost": 1,
             "policies": ["p", "q"], "request_id": "r"}""";
    private static final List<String> CALLS = List.of(
            "POST " + BASE + "/check " + CHECK,
            "POST " + BASE + "/check/batch {\"checks\": [" + CHECK + ", {}, " + CHECK + "]}",
            "POST " + BASE + "/refund " + CHECK,
            "POST " + BASE + "/reset " + CHECK,
            "POST " + BASE + "/reservations {\"cost\": 3, \"ttl_ms\": 1000}",
            "POST " + BASE + "/reservations/r-1/commit {\"cost\": 3}",
            "POST " + BASE + "/leases {\"cost\": 3, \"units\": 30, \"ttl_ms\": 1000}",
            "POST " + BASE + "/leases/l-open/return {\"units\": 3}",
            "PUT /api/v1/load {\"load_percent\": 70}",
            "DELETE " + BASE + "/reservations/r-1 ",
            "GET " + BASE + "/status?user_id=42&endpoint=/api&method=GET&cost=1&header.x-plan=beta ",
            "GET " + BASE + "/forward-auth ");
    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "X");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/json; charset=utf-8",
            "application/json;charset=\"",
            "a/b+json",
            "text/plain",
            "/");
    private static final List<String> HEADERS = List.of(
            "Accept: text/html;q=0.1, */*",
            "Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyIn0.x",
            "X-API-Key: k-1",
            "X-Forwarded-For: 203.0.113.9, 10.0.0.1",
            "Forwarded: for=\"[2001:db8::1]:4711\";proto=https",
            "X-Forwarded-Uri: /api/v1/users?page=2",
            "X-Forwarded-Method: PATCH",
            "X-Meridian-Token: t",
            "Accept-Encoding: gzip, br",
            "If-None-Match: *",
            "Range: bytes=0-1",
            "Cookie: a=b; c=\"d",
            "Origin: http://example.org",
            "Content-Language: xx");

    static FuzzedRequest of(SplittableRandom random) {
        Mutations mutations = new Mutations(random);
        String call = mutations.one(CALLS);
        String method = call.substring(0, call.indexOf(' '));
        String target = call.substring(method.length() + 1, call.indexOf(' ', method.length() + 1));
        String good = call.substring(method.length() + target.length() + 2);
        int kind = random.nextInt(10);
        String verb = kind == 7 ? mutations.one(METHODS) : method;
        StringBuilder head = new StringBuilder(verb)
                .append(' ')
                .append(kind == 8 ? "/" + mutations.word(target) : target)
                .append(" HTTP/1.1\r\nHost: localhost\r\n");
        if (kind == 9) {
            addHeaders(head, random, mutations);
        }
        String type = random.nextInt(20) == 0 ? mutations.one(TYPES) : TYPES.get(0);
        head.append("Content-Type: ").append(type).append("\r\n");
        byte[] body = kind < 7 ? body(good, random, mutations) : good.getBytes(StandardCharsets.UTF_8);
        return new FuzzedRequest(framed(head, body, random), verb.equals("HEAD"));
    }

    private static byte[] body(String good, SplittableRandom random, Mutations mutations) {
        return switch (random.nextInt(200)) {
            case 0 -> mutations.random(2_000);
            case 1 ->
                ("{\"endpoint\": \"" + "x".repeat(random.nextInt(300_000)) + "\"}").getBytes(StandardCharsets.UTF_8);
            case 2 -> "[".repeat(random.nextInt(50_000)).getBytes(StandardCharsets.UTF_8);
            case 3 -> manyNames(random).getBytes(StandardCharsets.UTF_8);
            default -> mutations.mutated(good);
        };
    }

    private static String manyNames(SplittableRandom random) {
        StringBuilder body = new StringBuilder("{\"attributes\":{\"a\":\"\"");
        for (int i = random.nextInt(3_000); i > 0; i--) {
            body.append(",\"").append(Long.toString(random.nextLong(), 36)).append("\":\"v\"");
        }
        return body.append("}}").toString();
    }

    private static void addHeaders(StringBuilder head, SplittableRandom random, Mutations mutations) {
        for (int i = random.nextInt(random.nextInt(50) == 0 ? 150 : 6); i >= 0; i--) {
            String header = mutations.one(HEADERS);
            int colon = header.indexOf(':');
            String value =
                    random.nextBoolean() ? mutations.word(header.substring(colon + 2)) : header.substring(colon + 2);
            head.append(header, 0, colon).append(": ").append(value).append("\r\n");
        }
        if (random.nextInt(100) == 0) {
            head.append("X-Long: ").append("y".repeat(random.nextInt(20_000))).append("\r\n");
        }
    }

    private static byte[] framed(StringBuilder head, byte[] body, SplittableRandom random) {
        if (random.nextInt(10) > 0) {
            head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
            return Mutations.joined(RawHttp.bytes(head.toString()), body);
        }
        byte[] framed =
                RawHttp.bytes(head.append("Transfer-Encoding: chunked\r\n\r\n").toString());
        for (int at = 0; at < body.length; ) {
            int size = Math.min(body.length - at, 1 + random.nextInt(Math.max(64, body.length)));
            byte[] chunk = Arrays.copyOfRange(body, at, at + size);
            framed = Mutations.joined(
                    framed, RawHttp.bytes(Integer.toHexString(size) + "\r\n"), chunk, RawHttp.bytes("\r\n"));
            at += size;
        }
        return Mutations.joined(framed, RawHttp.bytes("0\r\n\r\n"));
    }
}
