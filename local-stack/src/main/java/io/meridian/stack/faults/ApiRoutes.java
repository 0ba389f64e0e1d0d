package io.meridian.stack.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * The part of Toxiproxy's HTTP API that covers these faults, with its status codes: a new proxy is answered with 201, a new
 * toxic with 200, a removal with 204. POST and PATCH both update.
 */
final class ApiRoutes {
    /** The line of the API spoken here; clients look at its first number. */
    private static final String VERSION = "2.12.0";

    private static final Set<String> PATTERNS =
            Set.of("version", "reset", "populate", "proxies", "proxies/?", "proxies/?/toxics", "proxies/?/toxics/?");

    private final FaultProxies proxies;
    private final FurtherRoutes further;

    ApiRoutes(FaultProxies proxies, FurtherRoutes further) {
        this.proxies = proxies;
        this.further = further;
    }

    /** A body that is parsed where a route wants one. */
    interface Body {
        JsonNode read() throws IOException;
    }

    Answer answer(String method, List<String> path, Body body) throws IOException {
        if (further.serve(path)) {
            return further.answer(method, path);
        }
        String pattern = pattern(path);
        boolean update = method.equals("PATCH") && pattern.endsWith("?");
        return switch ((update ? "POST" : method) + " " + pattern) {
            case "GET version" ->
                Answer.ok(JsonNodeFactory.instance.objectNode().put("version", VERSION));
            case "POST reset" -> reset();
            case "POST populate" -> Answer.created(Population.of(body.read()).settle(proxies));
            case "GET proxies" -> Answer.ok(index());
            case "POST proxies" -> create(body.read());
            case "GET proxies/?" -> Answer.ok(ProxyJson.write(proxy(path)));
            case "POST proxies/?" -> update(proxy(path), body.read());
            case "DELETE proxies/?" -> delete(path.get(1));
            case "GET proxies/?/toxics" -> Answer.ok(ToxicJson.write(proxy(path).toxics()));
            case "POST proxies/?/toxics" -> createToxic(proxy(path), body.read());
            case "GET proxies/?/toxics/?" -> Answer.ok(ToxicJson.write(toxic(path)));
            case "POST proxies/?/toxics/?" -> updateToxic(proxy(path), path.get(3), body.read());
            case "DELETE proxies/?/toxics/?" -> deleteToxic(proxy(path), path.get(3));
            default ->
                Answer.error(
                        PATTERNS.contains(pattern) ? 405 : 404,
                        "no route for " + method + " /" + String.join("/", path));
        };
    }

    private static String pattern(List<String> path) {
        return switch (path.size()) {
            case 2 -> path.get(0) + "/?";
            case 3 -> path.get(0) + "/?/" + path.get(2);
            case 4 -> path.get(0) + "/?/" + path.get(2) + "/?";
            default -> String.join("/", path);
        };
    }

    private FaultProxy proxy(List<String> path) {
        return proxies.require(path.get(1));
    }

    private Toxic toxic(List<String> path) {
        return proxy(path).toxic(path.get(3)).orElseThrow(() -> FaultRefusal.missing("toxic", path.get(3)));
    }

    private Answer reset() throws IOException {
        proxies.reset();
        return Answer.done();
    }

    private JsonNode index() {
        ObjectNode byName = JsonNodeFactory.instance.objectNode();
        proxies.all().forEach(proxy -> byName.set(proxy.name(), ProxyJson.write(proxy)));
        return byName;
    }

    private Answer create(JsonNode body) throws IOException {
        ProxyJson wanted = ProxyJson.readNew(body);
        return Answer.created(
                ProxyJson.write(proxies.add(wanted.name(), wanted.listen(), wanted.upstream(), wanted.enabled())));
    }

    private Answer update(FaultProxy proxy, JsonNode body) throws IOException {
        // One lock over reading and settling, so that of two updates at once neither undoes the other.
        synchronized (proxy) {
            ProxyJson wanted = ProxyJson.readChange(body, proxy);
            proxy.settle(wanted.listen(), wanted.upstream(), wanted.enabled());
            return Answer.ok(ProxyJson.write(proxy));
        }
    }

    private Answer delete(String name) {
        proxies.remove(name);
        return Answer.done();
    }

    private static Answer createToxic(FaultProxy proxy, JsonNode body) {
        Toxic toxic = ToxicJson.readNew(body);
        proxy.add(toxic);
        return Answer.ok(ToxicJson.write(toxic));
    }

    private static Answer updateToxic(FaultProxy proxy, String name, JsonNode body) {
        return Answer.ok(ToxicJson.write(proxy.revise(name, existing -> ToxicJson.readChange(body, existing))));
    }

    private static Answer deleteToxic(FaultProxy proxy, String name) {
        proxy.remove(name);
        return Answer.done();
    }
}
