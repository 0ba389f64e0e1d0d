package io.meridian.stacktests.stack;

import static io.meridian.testkit.Await.eventually;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.StackState;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StateFolder;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.process.Loopback;
import io.meridian.stacktests.stack.MeridianCommand.Answer;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole stack on free ports, in a folder whose name has a space. */
@Timeout(900)
class WholeStackIT {
    private final StateFolder folder;
    private final MeridianCommand meridian;

    WholeStackIT(@TempDir Path temporary) {
        folder = new StateFolder(temporary.resolve("a state"));
        meridian = new MeridianCommand(folder.root());
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        meridian.run("down");
        Processes.assertNoneNames(folder.root());
    }

    /** One life of a stack as its user sees it: started in the foreground, used, broken, started again, stopped. */
    @Test
    void a_stack_is_started_used_and_killed_and_the_next_start_finds_its_data(@TempDir Path elsewhere)
            throws Exception {
        Path output = elsewhere.resolve("output");
        Process foreground = meridian.start(output, "up", "--ports-from=0");
        StackState first;
        try {
            awaitReady(foreground, output);
            assertThat(output)
                    .content()
                    .containsPattern("kafka-eu-west +127.0.0.1:")
                    .endsWith("Ctrl-C stops it.\n");
            first = StackState.read(folder).orElseThrow();
            assertThat(first.regions()).isEqualTo(Regions.ALL);
            Database.execute(first, "create table kept (n int)");
            // A part that a busy machine keeps from answering in time is shown as not ready.
            eventually("every part is ready").until(() -> meridian.run("status").code() == 0);
            assertThat(check(part(first, "limiter-ap-south"), "42"))
                    .contains("\"policy\":\"free-per-minute\"", "\"limit\":100", "\"region\":\"ap-south\"");
            assertThat(meridian.run("up").output()).containsOnlyOnce("\n").contains("already runs");
            changeRulesAsAFile(first, elsewhere);

            kill(part(first, "limiter-eu-west"));
            eventually("status shows the dead limiter and the ready ones").untilAsserted(() -> {
                Answer degraded = meridian.run("status");
                assertThat(degraded.code()).isEqualTo(1);
                assertThat(degraded.output())
                        .containsPattern("limiter-eu-west .* dead")
                        .containsPattern("limiter-us-east .* ready");
            });
            eventually("up says that it died")
                    .until(() -> Files.readString(output).contains("DEAD   limiter-eu-west"));
        } finally {
            foreground.destroyForcibly();
        }
        assertAllEnd(first);

        Answer up = meridian.run("up", "--detach", "--ports-from=0", "--add-region=sa-east");
        assertThat(up.code()).as(up.output()).isZero();
        assertThat(signInByLink(up.output())).isEqualTo(201);
        StackState second = StackState.read(folder).orElseThrow();
        Database.execute(second, "select n from kept");
        for (String region : List.of("us-west", "sa-east")) {
            PartState limiter = part(second, PartNames.limiter(region, 1));
            eventually(region + " has the rules")
                    .until(() -> check(limiter, "43").contains("\"limit\":61"));
        }

        assertThat(meridian.run("down").output()).isEqualTo("Stopped.\n");
        assertThat(second.parts()).noneMatch(part -> part.process().isAlive());
        assertThat(StackState.read(folder)).isEmpty();
    }

    private void changeRulesAsAFile(StackState stack, Path elsewhere) throws Exception {
        Path file = elsewhere.resolve("rules.yaml");
        Path again = elsewhere.resolve("again.yaml");
        Path demo = MeridianCommand.HOME.resolve("local-stack/src/main/resources/demo-policies.yaml");
        assertThat(meridian.run("policy", "diff", demo.toString())).isEqualTo(new Answer(0, "No difference.\n"));

        assertThat(meridian.run("policy", "export", "-o", file.toString())).isEqualTo(new Answer(0, ""));
        Files.writeString(file, Files.readString(file).replace("limit: 60\n", "limit: 61\n"));
        Answer difference = meridian.run("policy", "diff", file.toString());
        assertThat(difference.code()).isEqualTo(1);
        assertThat(difference.output()).startsWith("~ policy free-per-minute\n    limit: 60 → 61\n");
        Answer applied = meridian.run("policy", "apply", file.toString());
        assertThat(applied.code()).as(applied.output()).isZero();
        assertThat(applied.output()).endsWith("The rules are at revision 2.\n");
        assertThat(meridian.run("policy", "export", "-o", again.toString()).code())
                .isZero();
        assertThat(again).hasSameTextualContentAs(file);

        for (String region : Regions.ALL) {
            PartState limiter = part(stack, PartNames.limiter(region, 1));
            eventually(region + " has the change")
                    .until(() -> check(limiter, "43").contains("\"limit\":61"));
        }
    }

    /** The same end as {@code down}, which sends the other signal; so only in the full build. */
    @Tag("full")
    @Test
    void ctrl_c_ends_a_stack_in_the_foreground_and_leaves_no_process(@TempDir Path elsewhere) throws Exception {
        Path output = elsewhere.resolve("output");
        Process foreground = meridian.start(output, "up", "--ports-from=0");
        try {
            awaitReady(foreground, output);
            assertThat(Processes.naming(folder.root())).isNotEmpty();

            String signal = Processes.interruptIsIgnored() ? "-TERM" : "-INT";
            new ProcessBuilder("kill", signal, Long.toString(foreground.pid()))
                    .start()
                    .waitFor();

            assertThat(foreground.waitFor(5, MINUTES)).isTrue();
            Processes.assertNoneNames(folder.root());
            assertThat(StackState.read(folder)).isEmpty();
        } finally {
            foreground.destroy();
        }
    }

    @Test
    void a_taken_port_is_one_line_and_nothing_starts() throws Exception {
        int port = Loopback.freePort();
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(Loopback.at(port));

            Answer answer = meridian.run("up", "--ports-from=0", "--port=sync-2=" + port);

            assertThat(answer.code()).isEqualTo(1);
            assertThat(answer.output())
                    .containsOnlyOnce("\n")
                    .contains("Port " + port + ", wanted by sync-2, is taken")
                    .contains("--port sync-2=PORT");
            assertThat(folder.logs()).doesNotExist();
        }
    }

    /** The status of a sign-in to the console by the link that `up` prints. */
    private static int signInByLink(String output) throws Exception {
        Matcher link =
                Pattern.compile("(http://\\S+)/console/#/sign-in\\?code=(\\S+)").matcher(output);
        assertThat(link.find()).as(output).isTrue();
        HttpRequest request = HttpRequest.newBuilder(URI.create(link.group(1) + "/admin/api/v1/session"))
                .header("Authorization", "SignInLink " + link.group(2))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void awaitReady(Process foreground, Path output) throws Exception {
        while (!Files.readString(output).contains("All is ready.")) {
            assertThat(foreground.waitFor(200, MILLISECONDS))
                    .as("up ended before it was ready")
                    .isFalse();
        }
    }

    /** What the demo policies of a first start say to the request that `up` proposes. */
    static String check(PartState limiter, String user) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(limiter.address() + "/api/v1/rate-limit/check"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"attributes\": {\"user_id\": \"" + user
                        + "\"}, \"endpoint\": \"/api/v1/users\", \"method\": \"GET\"}"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static PartState part(StackState state, String name) {
        return state.parts().stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void kill(PartState part) throws Exception {
        ProcessHandle process = part.process().handle().orElseThrow();
        process.destroyForcibly();
        process.onExit().get(5, MINUTES);
    }

    private static void assertAllEnd(StackState state) throws Exception {
        List<CompletableFuture<ProcessHandle>> ends = state.parts().stream()
                .flatMap(part -> part.process().handle().stream())
                .map(ProcessHandle::onExit)
                .toList();
        CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)).get(5, MINUTES);
    }
}
