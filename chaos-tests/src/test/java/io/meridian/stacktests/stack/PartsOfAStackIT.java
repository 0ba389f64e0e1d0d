package io.meridian.stacktests.stack;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.StackState;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.plan.PartNames;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every kind of part of a running stack, ended and started again the way a drill does it. */
@Timeout(900)
class PartsOfAStackIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration DONE_WITHIN = Duration.ofMinutes(5);

    private static TestStack stack;

    @BeforeAll
    static void start() throws Exception {
        stack = TestStack.start("parts");
    }

    @AfterAll
    static void stop() throws Exception {
        stack.close();
    }

    @Test
    void what_is_started_again_is_another_process_that_the_state_knows() throws Exception {
        StackState before = stack.state();
        String limiter = PartNames.limiter("eu-west", 1);
        String sync = PartNames.SYNC_REPLICAS.get(0);
        Database.execute(before, "create table kept (n int)");
        try (Admin kafka = kafka()) {
            kafka.createTopics(List.of(new NewTopic("kept", 1, (short) 1)))
                    .all()
                    .get(5, TimeUnit.MINUTES);
        }

        perform(limiter, "kill");
        perform(sync, "freeze");
        assertThat(stack.command().run("status").output())
                .containsPattern(limiter + " .* stopped by a drill")
                .containsPattern(sync + " .* frozen");
        perform(limiter, "start");
        perform(sync, "thaw");

        List<String> restarted =
                List.of(PartNames.KAFKA, PartNames.POSTGRES, PartNames.redis("eu-west"), sync, limiter);
        for (String part : restarted) {
            perform(part, "restart");
        }

        StackState after = stack.state();
        assertThat(after.ready()).isTrue();
        for (String part : restarted) {
            assertThat(part(after, part).process())
                    .isNotEqualTo(part(before, part).process());
        }
        Database.execute(after, "select n from kept");
        for (PartState part : after.parts()) {
            eventually(part.name() + " is ready")
                    .atMost(DONE_WITHIN)
                    .until(() -> part.condition() == PartState.Condition.READY);
        }
        // Not told by the rules: a limiter has a copy of them, and the config-service mends a topic that lost them.
        try (Admin kafka = kafka()) {
            assertThat(kafka.listTopics().names().get(5, TimeUnit.MINUTES)).contains("kept");
        }
        assertThat(WholeStackIT.check(part(after, limiter), "42")).contains("\"policy\":\"free-per-minute\"");
    }

    private Admin kafka() throws Exception {
        return Admin.create(
                Map.of("bootstrap.servers", stack.part(PartNames.KAFKA).target()));
    }

    private void perform(String part, String verb) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(stack.faults() + "/parts/" + part + "/" + verb))
                .timeout(DONE_WITHIN)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode())
                .as("%s %s: %s", verb, part, response.body())
                .isEqualTo(200);
    }

    private static PartState part(StackState state, String name) {
        return state.parts().stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
