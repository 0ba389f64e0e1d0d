package io.meridian.chaos.drill.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.chaos.drill.file.NetworkFault;
import io.meridian.chaos.drill.file.NetworkFault.Action;
import io.meridian.chaos.drill.file.NetworkFault.Direction;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Links that pass through proxies with Toxiproxy's API. A cut in both directions refuses connections, one in a single direction
 * leaves them open and silent.
 *
 * @param proxies the name of each place's proxy
 */
record ToxiproxyLinks(String address, Map<String, String> proxies) implements Links {
    private static final String OURS = "drill-";

    ToxiproxyLinks {
        proxies = Map.copyOf(proxies);
    }

    @Override
    public Set<String> places() {
        return proxies.keySet();
    }

    @Override
    public void hurt(String place, NetworkFault fault) throws IOException, InterruptedException {
        if (fault.action() == Action.PARTITION && fault.direction() == Direction.BOTH) {
            enable(place, false);
            return;
        }
        for (String stream : streams(fault.direction())) {
            Http.ask(Http.to(proxy(place) + "/toxics")
                    .POST(Http.text(toxic(fault, stream).toString())));
        }
    }

    @Override
    public void mend(String place) throws IOException, InterruptedException {
        for (JsonNode toxic : Http.json(Http.to(proxy(place) + "/toxics").GET())) {
            String name = toxic.path("name").asText();
            if (name.startsWith(OURS)) {
                Http.ask(Http.to(proxy(place) + "/toxics/" + name).DELETE());
            }
        }
        enable(place, true);
    }

    /** A region is the client of its link, so what it sends goes upstream. */
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
        return toxic.put("name", OURS + type + "-" + stream).put("type", type).put("stream", stream);
    }

    private void enable(String place, boolean enabled) throws IOException, InterruptedException {
        Http.ask(Http.to(proxy(place)).POST(Http.text("{\"enabled\": " + enabled + "}")));
    }

    private String proxy(String place) {
        String name = proxies.get(place);
        if (name == null) {
            throw new IllegalArgumentException("place must be one of " + proxies.keySet() + ", got " + place);
        }
        return address + "/proxies/" + name;
    }
}
