package io.meridian.chaos.drill.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.chaos.drill.file.Activity;
import io.meridian.chaos.drill.file.Provider;
import io.meridian.chaos.drill.world.CommandLineRun;
import io.meridian.chaos.drill.world.Http;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** Commands and requests of the user's own, as the Chaos Toolkit does them: an action that is refused has failed. */
final class OwnProviders {
    private static final int BODY_LENGTH_MAX = 64 << 10;

    private OwnProviders() {}

    static JsonNode run(Provider.Command provider) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(provider.path()));
        command.addAll(provider.arguments());
        CommandLineRun.Outcome outcome = CommandLineRun.of(command, provider.timeout());
        return JsonNodeFactory.instance
                .objectNode()
                .put("status", outcome.status())
                .put("stdout", outcome.stdout())
                .put("stderr", outcome.stderr());
    }

    static JsonNode run(Provider.Http provider) throws IOException, InterruptedException {
        HttpRequest.Builder request = Http.to(provider.url())
                .timeout(provider.timeout())
                .method(
                        provider.method(),
                        provider.body().isEmpty() ? HttpRequest.BodyPublishers.noBody() : Http.text(provider.body()));
        provider.headers().forEach(request::setHeader);
        HttpResponse<String> answer = Http.send(request.build());
        ObjectNode found = JsonNodeFactory.instance.objectNode().put("status", answer.statusCode());
        ObjectNode headers = found.putObject("headers");
        answer.headers().map().forEach((name, values) -> headers.put(name, String.join(", ", values)));
        String body = answer.body();
        return found.put("body", body.length() > BODY_LENGTH_MAX ? body.substring(0, BODY_LENGTH_MAX) : body);
    }

    /** Of an action nobody asks what it found: it must have worked. */
    static boolean worked(Activity activity, JsonNode found) {
        if (activity.kind() != Activity.Kind.ACTION || !found.isObject()) {
            return true;
        }
        int status = found.path("status").asInt();
        return activity.provider() instanceof Provider.Command ? status == 0 : status / 100 == 2;
    }
}
