package io.meridian.stacktests.stack;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.drill.history.Subject.Sharing;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Folders;
import io.meridian.stacktests.stack.MeridianCommand.Answer;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The commands that ask the regions, on a whole stack; and meridian.jar, far from the repository. */
@ExtendWith(SharedStack.class)
@ResourceLock(SharedStack.LOCK)
@Timeout(900)
class CommandIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path JAR = MeridianCommand.HOME.resolve("local-stack/target/meridian.jar");

    private final TestStack stack;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    CommandIT(TestStack stack) {
        this.stack = stack;
    }

    @Test
    void the_accounts_and_grants_of_a_global_limit_are_shown_for_every_region() throws Exception {
        stack.create("inspected", Sharing.ESCROW, 300, Duration.ofDays(31));
        String first = TestStack.REGIONS.get(0);
        String second = TestStack.REGIONS.get(1);
        for (int i = 0; i < 3; i++) {
            assertThat(check(first)).isEqualTo(200);
        }
        assertThat(check(second)).isEqualTo(200);

        eventually("both regions know of each other")
                .until(() -> account(first).path("used_elsewhere").asLong() == 1
                        && account(second).path("used_elsewhere").asLong() == 3);
        Answer words = stack.command().run("inspect", "user_id:42", "--policy", "inspected");
        assertThat(words.code()).as(words.output()).isZero();
        assertThat(words.output())
                .contains("One limit of 300 over all regions: 4 used")
                .containsPattern(
                        first + ": the window account has 3 taken and 0 returned here, and knows of 1 used elsewhere")
                .contains("floor and grants are");
    }

    private JsonNode account(String region) throws Exception {
        Answer answer = stack.command().run("inspect", "user_id:42", "--policy", "inspected", "--json");
        for (JsonNode each : JSON.readTree(answer.output()).at("/limits/0/regions")) {
            if (each.path("region").asText().equals(region)) {
                return each.path("account");
            }
        }
        return JSON.missingNode();
    }

    private int check(String region) throws Exception {
        HttpRequest check = HttpRequest.newBuilder(
                        URI.create(stack.limiters(region).get(0) + "/api/v1/rate-limit/check"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(
                        "{\"attributes\": {\"user_id\": \"42\"}, \"endpoint\": \"/inspected\", \"method\": \"GET\","
                                + " \"policies\": [\"inspected\"]}"))
                .build();
        return client.send(check, BodyHandlers.ofString()).statusCode();
    }

    @Test
    void the_jar_administers_a_deployment_from_any_folder_by_a_profile() throws Exception {
        Path elsewhere = Folders.temporary("elsewhere");
        try {
            Path profiles = Files.createDirectories(elsewhere.resolve("config/meridian"))
                    .resolve("profiles");
            Files.writeString(
                    profiles,
                    "default.server=" + stack.part(PartNames.CONFIG_SERVICE).address() + "\ndefault.token-file="
                            + stack.command().state().resolve("admin-token") + "\n");

            Answer regions = jar(elsewhere, "regions");
            assertThat(regions.code()).as(regions.output()).isZero();
            assertThat(regions.output()).contains(TestStack.REGIONS);
            assertThat(jar(elsewhere, "policy", "list", "--json").output()).contains("free-per-minute");
            assertThat(jar(elsewhere, "policy", "export").output()).contains("free-per-minute");
            assertThat(jar(elsewhere, "policy", "get", "of-nobody").code()).isEqualTo(3);
            assertThat(jar(elsewhere, "up").code()).isEqualTo(2);
            assertThat(jar(elsewhere, "--version").output()).contains("meridian 0.");
        } finally {
            Folders.delete(elsewhere);
        }
    }

    private static Answer jar(Path folder, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Executables.java().toString(), "-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"));
        builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), output);
    }
}
