package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Client of a stream of server-sent events, as a browser's EventSource reads it. */
final class EventStream implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final InputStream body;
    private final List<Received> received = new CopyOnWriteArrayList<>();

    record Received(String name, String id, JsonNode data) {}

    private EventStream(InputStream body) {
        this.body = body;
        Thread reader = new Thread(this::read, "event-stream");
        reader.setDaemon(true);
        reader.start();
    }

    static EventStream open(URI uri, String token, @Nullable String lastEventId) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + token)
                .header("Accept", "text/event-stream");
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        HttpResponse<InputStream> answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            throw new AssertionError("the stream was refused: " + answer.statusCode());
        }
        return new EventStream(answer.body());
    }

    List<Received> received() {
        return received;
    }

    List<Received> named(String name) {
        return received.stream().filter(each -> each.name().equals(name)).toList();
    }

    private void read() {
        List<String> lines = new ArrayList<>();
        try (var reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.isEmpty()) {
                    add(lines);
                    lines.clear();
                } else {
                    lines.add(line);
                }
            }
        } catch (IOException closed) {
            // It was closed.
        }
    }

    private void add(List<String> lines) throws IOException {
        String data = field(lines, "data");
        if (!data.isEmpty()) {
            received.add(new Received(field(lines, "event"), field(lines, "id"), MAPPER.readTree(data)));
        }
    }

    private static String field(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
