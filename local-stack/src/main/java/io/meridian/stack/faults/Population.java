package io.meridian.stack.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** A list of proxies that shall exist. It is read whole before the first is touched; those already so are left alone. */
record Population(List<ProxyJson> proxies) {
    Population {
        proxies = List.copyOf(proxies);
        if (proxies.size() > FaultProxies.PROXIES_MAX) {
            throw FaultRefusal.full("proxies", FaultProxies.PROXIES_MAX);
        }
    }

    static Population of(JsonNode body) {
        if (!body.isArray()) {
            throw new IllegalArgumentException("body must be an array of proxies, got " + body);
        }
        return new Population(StreamSupport.stream(body.spliterator(), false)
                .map(ProxyJson::readNew)
                .toList());
    }

    ObjectNode settle(FaultProxies existing) throws IOException {
        ArrayNode settled = JsonNodeFactory.instance.arrayNode();
        for (ProxyJson wanted : proxies) {
            settled.add(ProxyJson.write(settle(existing, wanted)));
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.set("proxies", settled);
        return node;
    }

    private static FaultProxy settle(FaultProxies existing, ProxyJson wanted) throws IOException {
        Optional<FaultProxy> found = existing.find(wanted.name());
        if (found.isEmpty()) {
            return existing.add(wanted.name(), wanted.listen(), wanted.upstream(), wanted.enabled());
        }
        FaultProxy proxy = found.get();
        boolean replaced =
                !wanted.listen().equals(proxy.listen()) || !wanted.upstream().equals(proxy.upstream());
        proxy.settle(wanted.listen(), wanted.upstream(), wanted.enabled());
        if (replaced) {
            proxy.removeToxics();
        }
        return proxy;
    }
}
