package io.meridian.stack.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** A proxy as the API shows it and as a request asks for it. */
record ProxyJson(String name, Endpoint listen, Endpoint upstream, boolean enabled) {
    private static final Set<String> FIELDS = Set.of("name", "listen", "upstream", "enabled");
    private static final String ANY_PORT = "127.0.0.1:0";

    static ProxyJson readNew(JsonNode body) {
        Fields fields = new Fields(body);
        fields.requireOnly(FIELDS);
        return new ProxyJson(
                Labels.require("name", fields.text("name")),
                Endpoint.parse("listen", fields.text("listen", ANY_PORT)),
                Endpoint.parse("upstream", fields.text("upstream")),
                fields.flag("enabled", true));
    }

    /** What a proxy shall become: as it is, but for what the body names. */
    static ProxyJson readChange(JsonNode body, FaultProxy proxy) {
        Fields fields = new Fields(body);
        fields.requireOnly(FIELDS);
        fields.requireSame("name", proxy.name());
        return new ProxyJson(
                proxy.name(),
                Endpoint.parse("listen", fields.text("listen", proxy.listen().toString())),
                Endpoint.parse(
                        "upstream", fields.text("upstream", proxy.upstream().toString())),
                fields.flag("enabled", proxy.enabled()));
    }

    static ObjectNode write(FaultProxy proxy) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("name", proxy.name())
                .put("listen", proxy.listen().toString())
                .put("upstream", proxy.upstream().toString())
                .put("enabled", proxy.enabled());
        node.set("toxics", ToxicJson.write(proxy.toxics()));
        return node;
    }
}
