package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.rules.RuleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Rulebooks by chance, with the texts that YAML is known to read as something else. */
final class RandomRulebook {
    private static final List<String> HOSTILE = List.of(
            "no",
            "Yes",
            "on",
            "OFF",
            "y",
            "N",
            "null",
            "~",
            "true",
            "False",
            "1e3",
            "0x1F",
            "0o17",
            "017",
            "1_000",
            "12:30:45",
            "190:20",
            ".inf",
            "-.INF",
            ".nan",
            "+1",
            "-",
            "--",
            "---",
            "...",
            "?",
            ":",
            "a: b",
            "a:b",
            "a #b",
            "#",
            "# c",
            " lead",
            "trail ",
            "  ",
            "a  b",
            "'",
            "''",
            "\"",
            "\\",
            "\\n",
            "it's",
            "say \"no\"",
            "[a",
            "{a: b}",
            "a, b",
            "*",
            "*a",
            "&a",
            "!a",
            "!!str x",
            "|",
            ">",
            "%",
            "@",
            "`",
            "<<",
            "=",
            "2026-01-01",
            "2026-01-01T00:00:00Z",
            "naïve",
            "日本",
            "😀",
            "\u00a0x",
            "a\u200bb",
            "\u202eabc",
            "\ufeffx",
            "\u2028",
            "\ufffe",
            "\ud83d\udc68\u200d\ud83d\udc69",
            "\u0301",
            "- a",
            "key:",
            "${x}",
            "</script>",
            "e3",
            "1m",
            "10.0.0.1",
            "::1",
            "00",
            "1.0",
            "-0");
    private static final List<String> PROSE = List.of("two\nlines", "\n", "a\tb", "\ttab", "end\n", "a\n\n  b: c\n# d");

    private final SplittableRandom random;
    private final List<RuleEntry> entries = new ArrayList<>();

    private RandomRulebook(SplittableRandom random) {
        this.random = random;
    }

    static List<RuleEntry> of(SplittableRandom random) {
        RandomRulebook rulebook = new RandomRulebook(random);
        rulebook.fill();
        return rulebook.entries;
    }

    private void fill() {
        int count = random.nextInt(8);
        for (int i = 0; i < count; i++) {
            add(Section.POLICIES, policy("p" + i));
            ObjectNode tier =
                    object().put("name", "t" + i).put("description", prose()).put("default", i == 3);
            add(Section.TIERS, random.nextBoolean() ? tier : tier.put("upgrade_url", "https://acme.test/?from=" + i));
            add(Section.CLIENT_TIERS, identifier(object()).put("tier", "t" + i));
            ObjectNode override = identifier(object().put("policy", "p" + i)).put("limit", 1 + random.nextLong(1_000));
            add(Section.OVERRIDES, expiring(override));
            add(Section.ALLOW_LIST, expiring(identifier(object()).put("reason", prose())));
            add(Section.DENY_LIST, expiring(identifier(object()).put("reason", prose())));
        }
        if (random.nextBoolean()) {
            ObjectNode table = object();
            table.putArray("steps").addObject().put("load_percent", 0).put("limit_percent", 1 + random.nextInt(999));
            table.withArray("steps").addObject().put("load_percent", 100).put("limit_percent", 50);
            add(Section.ADAPTIVE, table);
        }
    }

    private void add(Section section, ObjectNode document) {
        entries.add(section.read(document));
    }

    private ObjectNode policy(String id) {
        ObjectNode policy = object().put("id", id).put("name", plain()).put("description", prose());
        policy.putArray("key").add("user_id");
        boolean bucket = random.nextBoolean();
        policy.put("algorithm", bucket ? "token_bucket" : "fixed_window")
                .put("limit", 1 + random.nextLong(1_000_000))
                .put("window", random.nextBoolean() ? "1m" : "1d");
        if (bucket) {
            policy.put("burst", random.nextInt(3));
        }
        if (random.nextBoolean()) {
            ObjectNode appliesTo = policy.putObject("applies_to");
            appliesTo.putArray("endpoints").add("/" + path()).add("/api/*");
            appliesTo.putArray("methods").add("GET").add("POST");
            appliesTo.putObject("headers").put("x-plan", plain()).put("n", "");
        }
        if (random.nextBoolean()) {
            policy.putArray("endpoint_costs")
                    .addObject()
                    .put("endpoint", "/" + path())
                    .put("cost", 1);
        }
        policy.put("enabled", random.nextBoolean());
        policy.put("priority", random.nextInt(-2, 3));
        return policy;
    }

    private String path() {
        return plain().replaceAll("[?#;*\u2028\u2029]", "x");
    }

    private ObjectNode identifier(ObjectNode document) {
        return switch (random.nextInt(3)) {
            case 0 -> document.put("identifier_type", "ip").put("identifier", random.nextInt(1, 200) + ".0.0.0/8");
            case 1 ->
                document.put("identifier_type", "ip").put("identifier", "2001:db8:" + random.nextInt(9_999) + "::/48");
            default -> document.put("identifier_type", "user_id").put("identifier", plain());
        };
    }

    private ObjectNode expiring(ObjectNode document) {
        return random.nextBoolean() ? document : document.put("expires_at", "2031-05-06T07:08:09.123456Z");
    }

    private String plain() {
        String one = HOSTILE.get(random.nextInt(HOSTILE.size()));
        return random.nextInt(3) == 0 ? one + HOSTILE.get(random.nextInt(HOSTILE.size())) : one;
    }

    private String prose() {
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> PROSE.get(random.nextInt(PROSE.size())) + plain();
            case 2 -> (plain() + " ").repeat(9).strip();
            default -> plain();
        };
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
