package io.meridian.drill.targets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.drill.definition.NetworkFault;
import io.meridian.drill.history.InjectedFault.Direction;
import io.meridian.drill.history.InjectedFault.LinkAction;
import io.meridian.drill.targets.DrillTarget.Links;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Links through proxies with Toxiproxy's API. A partition in both directions refuses connections, one in a single direction leaves them open
 * and silent.
 *
 * @param proxies proxy names by place
 */
record ToxiproxyLinks(String address, Map<String, String> proxies) implements Links {
    private static final String TOXIC_PREFIX = "drill-";

    ToxiproxyLinks {
        proxies = Map.copyOf(proxies);
    }

    @Override
    public Set<String> places() {
        return proxies.keySet();
    }

    @Override
    public void inject(String place, NetworkFault fault) throws IOException, InterruptedException {
        if (fault.action() == LinkAction.PARTITION && fault.direction() == Direction.BOTH) {
            enable(place, false);
            return;
        }
        for (String stream : streams(fault.direction())) {
            HttpCalls.call(HttpCalls.to(proxy(place) + "/toxics")
                    .POST(HttpCalls.text(toxic(fault, stream).toString())));
        }
    }

    @Override
    public void heal(String place) throws IOException, InterruptedException {
        for (JsonNode toxic :
                HttpCalls.json(HttpCalls.to(proxy(place) + "/toxics").GET())) {
            String name = toxic.path("name").asText();
            if (name.startsWith(TOXIC_PREFIX)) {
                HttpCalls.call(HttpCalls.to(proxy(place) + "/toxics/" + name).DELETE());
            }
        }
        enable(place, true);
    }

    /** A region is the client of its link, so its outgoing traffic is upstream. */
    private static List<String> streams(Direction direction) {
        return switch (direction) {
            case TO -> List.of("upstream");
            case FROM -> List.of("downstream");
            case BOTH -> List.of("upstream", "downstream");
        };
    }

    private static ObjectNode toxic(NetworkFault fault, String stream) {
        ObjectNode toxic = JsonNodeFactory.instance.objectNode();
        ObjectNode attributes = toxic.putObject("attributes");
        String type =
                switch (fault.action()) {
                    case PARTITION -> {
                        attributes.put("timeout", 0);
                        yield "timeout";
                    }
                    case DELAY -> {
                        attributes.put("latency", fault.latency().toMillis());
                        attributes.put("jitter", fault.jitter().toMillis());
                        yield "latency";
                    }
                    case BANDWIDTH -> {
                        attributes.put("rate", fault.kilobytesPerSecond());
                        yield "bandwidth";
                    }
                };
        return toxic.put("name", TOXIC_PREFIX + type + "-" + stream)
                .put("type", type)
                .put("stream", stream);
    }

    private void enable(String place, boolean enabled) throws IOException, InterruptedException {
        HttpCalls.call(HttpCalls.to(proxy(place)).POST(HttpCalls.text("{\"enabled\": " + enabled + "}")));
    }

    private String proxy(String place) {
        String name = proxies.get(place);
        if (name == null) {
            throw new IllegalArgumentException("place must be one of " + proxies.keySet() + ", got " + place);
        }
        return address + "/proxies/" + name;
    }
}
