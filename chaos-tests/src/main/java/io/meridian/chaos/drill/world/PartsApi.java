package io.meridian.chaos.drill.world;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.chaos.drill.file.PartFault.Verb;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The processes of a local stack, by its supervisor. */
record PartsApi(String address) implements Parts {
    /** A start returns when the part is ready: the supervisor gives its turn 4 minutes, and then Kafka 3. */
    private static final Duration DONE_WITHIN = Duration.ofMinutes(8);

    private static final int CONFLICT = 409;

    @Override
    public List<String> names() throws IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        for (JsonNode part : Http.json(Http.to(address + "/parts").GET()).path("parts")) {
            names.add(part.path("name").asText());
        }
        return names;
    }

    @Override
    public boolean can(String part, Verb verb) {
        return verb != Verb.WIPE || part.startsWith("redis-");
    }

    @Override
    public void act(String part, Verb verb) throws IOException, InterruptedException {
        HttpRequest request = Http.to(address + "/parts/" + part + "/" + verb.word())
                .timeout(DONE_WITHIN)
                .POST(Http.text(""))
                .build();
        HttpResponse<String> answer = Http.send(request);
        if (!(verb == Verb.START && runsAlready(answer))) {
            Http.requireDone(request, answer);
        }
    }

    /** Whoever starts wants it to run: that somebody else did it is no failure. */
    private static boolean runsAlready(HttpResponse<String> answer) {
        return answer.statusCode() == CONFLICT && answer.body().contains("runs, cannot start");
    }
}
