package io.meridian.stack.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns an HTTP exchange into a call of the routes, and every failure into an answer of Toxiproxy's error shape. */
final class ApiHandler implements HttpHandler {
    static final int BODY_BYTES_MAX = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ApiRoutes routes;

    ApiHandler(ApiRoutes routes) {
        this.routes = routes;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            if (answer.body().isEmpty()) {
                exchange.sendResponseHeaders(answer.status(), -1);
                return;
            }
            byte[] body = JSON.writeValueAsBytes(answer.body().get());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) {
        try {
            refuseBrowsers(exchange);
            byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
            if (body.length > BODY_BYTES_MAX) {
                return Answer.error(413, "body must have at most " + BODY_BYTES_MAX + " bytes");
            }
            return routes.answer(
                    exchange.getRequestMethod(),
                    segments(exchange.getRequestURI().getPath()),
                    () -> JSON.readTree(body));
        } catch (FaultRefusal refusal) {
            return Answer.error(refusal.status(), Objects.requireNonNull(refusal.getMessage()));
        } catch (JsonProcessingException malformed) {
            return Answer.error(400, "bad request body: " + malformed.getOriginalMessage());
        } catch (IllegalArgumentException bad) {
            return Answer.error(400, "bad request body: " + bad.getMessage());
        } catch (IOException failed) {
            return Answer.error(500, Objects.requireNonNullElse(failed.getMessage(), failed.toString()));
        } catch (RuntimeException unforeseen) {
            LOG.warn("the fault API failed on {}", exchange.getRequestURI(), unforeseen);
            return Answer.error(500, unforeseen.toString());
        }
    }

    /** A page open in a developer's browser must not be able to cut links behind their back. */
    private static void refuseBrowsers(HttpExchange exchange) {
        String agent = exchange.getRequestHeaders().getFirst("User-Agent");
        if (agent != null && agent.startsWith("Mozilla/")) {
            throw FaultRefusal.of(403, "user agent must not be a browser, got " + agent);
        }
    }

    private static List<String> segments(String path) {
        return Arrays.stream(path.split("/", -1))
                .filter(part -> !part.isEmpty())
                .toList();
    }
}
