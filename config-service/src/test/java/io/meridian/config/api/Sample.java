package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;

/** The kinds of entries that have the same verbs, with what tests write of each. */
enum Sample {
    POLICIES("policies", "%s", "limit", """
            {"id": "%s", "key": ["user_id"], "algorithm": "token_bucket", "limit": %d, "window": "1m"}"""),
    TIERS("tiers", "%s", "description", """
            {"name": "%s", "description": "%d"}"""),
    CLIENT_TIERS("client-tiers", "user_id:%s", "tier", """
            {"identifier_type": "user_id", "identifier": "%s", "tier": "sample-%d"}"""),
    OVERRIDES("overrides", "sample:user_id:%s", "limit", """
            {"policy": "sample", "identifier_type": "user_id", "identifier": "%s", "limit": %d}"""),
    ALLOW_LIST("allow-list", "user_id:%s", "reason", """
            {"identifier_type": "user_id", "identifier": "%s", "reason": "%d"}"""),
    DENY_LIST("deny-list", "user_id:%s", "reason", """
            {"identifier_type": "user_id", "identifier": "%s", "reason": "%d"}""");

    final String collection;
    /** What tells two contents apart. */
    final String field;

    private final String id;
    private final String form;

    Sample(String collection, String id, String field, String form) {
        this.collection = collection;
        this.id = id;
        this.field = field;
        this.form = form;
    }

    /** What the entries of the samples refer to. */
    static void prepare() {
        for (int i = 1; i <= 3; i++) {
            put(TIERS, "sample-" + i, i);
        }
        put(POLICIES, "sample", 1);
    }

    private static void put(Sample sample, String name, int content) {
        admin().body(sample.entry(name, content)).put(sample.path(name));
    }

    String entry(String name, int content) {
        return form.formatted(name, content);
    }

    String id(String name) {
        return id.formatted(name);
    }

    String path(String name) {
        return collection + "/" + id(name);
    }

    String patch(int content) {
        return "{\"%s\": %s}".formatted(field, value(content));
    }

    /** The content as JSON has it. */
    private String value(int content) {
        return switch (this) {
            case POLICIES, OVERRIDES -> Integer.toString(content);
            case TIERS, ALLOW_LIST, DENY_LIST -> "\"" + content + "\"";
            case CLIENT_TIERS -> "\"sample-" + content + "\"";
        };
    }

    /** The content as it is read. */
    Object content(int content) {
        return switch (this) {
            case POLICIES, OVERRIDES -> content;
            case TIERS, ALLOW_LIST, DENY_LIST -> Integer.toString(content);
            case CLIENT_TIERS -> "sample-" + content;
        };
    }
}
