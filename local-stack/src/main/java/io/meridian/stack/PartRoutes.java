package io.meridian.stack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.faults.Answer;
import io.meridian.stack.faults.FaultRefusal;
import io.meridian.stack.faults.FurtherRoutes;
import java.util.List;
import java.util.Locale;

/** The parts of a stack over HTTP: {@code GET /parts}, {@code POST /parts/limiter-us-east/kill}. */
final class PartRoutes implements FurtherRoutes {
    private static final String ROOT = "parts";

    private final List<PartControl> parts;
    private final PartCalls calls;

    /** @param parts those there are; more may come */
    PartRoutes(List<PartControl> parts, PartCalls calls) {
        this.parts = parts;
        this.calls = calls;
    }

    @Override
    public boolean serve(List<String> path) {
        return !path.isEmpty() && path.get(0).equals(ROOT) && path.size() <= 3;
    }

    @Override
    public Answer answer(String method, List<String> path) {
        return switch (method + " " + path.size()) {
            case "GET 1" -> Answer.ok(all());
            case "GET 2" -> Answer.ok(json(part(path)));
            case "POST 3" -> perform(part(path), PartVerb.of(path.get(2)));
            default -> Answer.error(405, "no route for " + method + " /" + String.join("/", path));
        };
    }

    private PartControl part(List<String> path) {
        return parts.stream()
                .filter(part -> part.seat().name().equals(path.get(1)))
                .findFirst()
                .orElseThrow(() -> FaultRefusal.missing("part", path.get(1)));
    }

    private Answer perform(PartControl part, PartVerb verb) {
        calls.perform(part, verb);
        return Answer.ok(json(part));
    }

    private ObjectNode all() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode list = all.putArray(ROOT);
        parts.stream().filter(part -> part.seat().part().isPresent()).forEach(part -> list.add(json(part)));
        return all;
    }

    /** A part that never had a process has but its name. */
    private static ObjectNode json(PartControl control) {
        PartSeat seat = control.seat();
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", seat.name());
        seat.state().ifPresent(part -> json.put("kind", part.kind().name().toLowerCase(Locale.ROOT))
                .put("address", part.address())
                .put("pid", part.process().pid())
                .put("alive", seat.isAlive())
                .put("frozen", part.process().isFrozen())
                .put("stopped", part.stopped()));
        return json;
    }
}
