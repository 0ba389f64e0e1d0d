package io.meridian.stack.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.faults.ExtraRoutes.ApiAnswer;
import io.meridian.stack.faults.FaultRoutes.ProxyJson;
import io.meridian.stack.faults.ToxicJson.RequestFields;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * The part of Toxiproxy's HTTP API that covers these faults, with its status codes: a new proxy is answered with 201, a new
 * toxic with 200, a removal with 204. POST and PATCH both update.
 */
final class FaultRoutes {
    /** The line of the API spoken here; clients look at its first number. */
    private static final String VERSION = "2.12.0";

    private static final Set<String> PATTERNS =
            Set.of("version", "reset", "populate", "proxies", "proxies/?", "proxies/?/toxics", "proxies/?/toxics/?");

    private final FaultProxies proxies;
    private final ExtraRoutes further;

    FaultRoutes(FaultProxies proxies, ExtraRoutes further) {
        this.proxies = proxies;
        this.further = further;
    }

    /** A body that is parsed where a route wants one. */
    interface Body {
        JsonNode read() throws IOException;
    }

    ApiAnswer answer(String method, List<String> path, Body body) throws IOException {
        if (further.serve(path)) {
            return further.answer(method, path);
        }
        String pattern = pattern(path);
        boolean update = method.equals("PATCH") && pattern.endsWith("?");
        return switch ((update ? "POST" : method) + " " + pattern) {
            case "GET version" ->
                ApiAnswer.ok(JsonNodeFactory.instance.objectNode().put("version", VERSION));
            case "POST reset" -> reset();
            case "POST populate" -> ApiAnswer.created(Population.of(body.read()).settle(proxies));
            case "GET proxies" -> ApiAnswer.ok(index());
            case "POST proxies" -> create(body.read());
            case "GET proxies/?" -> ApiAnswer.ok(ProxyJson.write(proxy(path)));
            case "POST proxies/?" -> update(proxy(path), body.read());
            case "DELETE proxies/?" -> delete(path.get(1));
            case "GET proxies/?/toxics" ->
                ApiAnswer.ok(ToxicJson.write(proxy(path).toxics()));
            case "POST proxies/?/toxics" -> createToxic(proxy(path), body.read());
            case "GET proxies/?/toxics/?" -> ApiAnswer.ok(ToxicJson.write(toxic(path)));
            case "POST proxies/?/toxics/?" -> updateToxic(proxy(path), path.get(3), body.read());
            case "DELETE proxies/?/toxics/?" -> deleteToxic(proxy(path), path.get(3));
            default ->
                ApiAnswer.error(
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

    private ApiAnswer reset() throws IOException {
        proxies.reset();
        return ApiAnswer.done();
    }

    private JsonNode index() {
        ObjectNode byName = JsonNodeFactory.instance.objectNode();
        proxies.all().forEach(proxy -> byName.set(proxy.name(), ProxyJson.write(proxy)));
        return byName;
    }

    private ApiAnswer create(JsonNode body) throws IOException {
        ProxyJson wanted = ProxyJson.readNew(body);
        return ApiAnswer.created(
                ProxyJson.write(proxies.add(wanted.name(), wanted.listen(), wanted.upstream(), wanted.enabled())));
    }

    private ApiAnswer update(FaultProxy proxy, JsonNode body) throws IOException {
        // One lock over reading and settling, so that of two updates at once neither undoes the other.
        synchronized (proxy) {
            ProxyJson wanted = ProxyJson.readChange(body, proxy);
            proxy.settle(wanted.listen(), wanted.upstream(), wanted.enabled());
            return ApiAnswer.ok(ProxyJson.write(proxy));
        }
    }

    private ApiAnswer delete(String name) {
        proxies.remove(name);
        return ApiAnswer.done();
    }

    private static ApiAnswer createToxic(FaultProxy proxy, JsonNode body) {
        Toxic toxic = ToxicJson.readNew(body);
        proxy.add(toxic);
        return ApiAnswer.ok(ToxicJson.write(toxic));
    }

    private static ApiAnswer updateToxic(FaultProxy proxy, String name, JsonNode body) {
        return ApiAnswer.ok(ToxicJson.write(proxy.revise(name, existing -> ToxicJson.readChange(body, existing))));
    }

    private static ApiAnswer deleteToxic(FaultProxy proxy, String name) {
        proxy.remove(name);
        return ApiAnswer.done();
    }

    /** A proxy as the API shows it and as a request asks for it. */
    record ProxyJson(String name, Endpoint listen, Endpoint upstream, boolean enabled) {
        private static final Set<String> FIELDS = Set.of("name", "listen", "upstream", "enabled");
        private static final String ANY_PORT = "127.0.0.1:0";

        static ProxyJson readNew(JsonNode body) {
            RequestFields fields = new RequestFields(body);
            fields.requireOnly(FIELDS);
            return new ProxyJson(
                    Toxic.requireLabel("name", fields.text("name")),
                    Endpoint.parse("listen", fields.text("listen", ANY_PORT)),
                    Endpoint.parse("upstream", fields.text("upstream")),
                    fields.flag("enabled", true));
        }

        /** Wanted settings of a proxy: its present ones, except for what the body names. */
        static ProxyJson readChange(JsonNode body, FaultProxy proxy) {
            RequestFields fields = new RequestFields(body);
            fields.requireOnly(FIELDS);
            fields.requireSame("name", proxy.name());
            return new ProxyJson(
                    proxy.name(),
                    Endpoint.parse(
                            "listen", fields.text("listen", proxy.listen().toString())),
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

    /** A list of proxies that shall exist. It is read whole before the first is touched; those already so are left alone. */
    private record Population(List<ProxyJson> proxies) {
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
            boolean replaced = !wanted.listen().equals(proxy.listen())
                    || !wanted.upstream().equals(proxy.upstream());
            proxy.settle(wanted.listen(), wanted.upstream(), wanted.enabled());
            if (replaced) {
                proxy.removeToxics();
            }
            return proxy;
        }
    }
}
