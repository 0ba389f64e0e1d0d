package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.config.AdminTokenResource;
import io.meridian.config.ServiceTest;
import io.meridian.config.regions.FakeLimiters;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.wire.RegionQueryReply;
import io.meridian.stack.cli.Meridian;
import io.restassured.RestAssured;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the admin API, run against the service that they are for. */
@ServiceTest
@Timeout(900)
class AdminCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NEGATIVE = 1;
    private static final int USAGE = 2;
    private static final int NOT_FOUND = 3;
    private static final int REFUSED = 4;
    private static final int UNAVAILABLE = 5;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private String out = "";
    private String err = "";

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Files.writeString(folder.resolve("token"), AdminTokenResource.TOKEN + "\n");
        for (String each : List.of("policies/of-commands", "policies/from-pipe", "tiers/of-commands")) {
            admin().delete(each);
        }
    }

    @Test
    void an_entry_is_created_shown_changed_listed_and_deleted_by_fields() throws Exception {
        assertThat(run(
                        "policy",
                        "create",
                        "of-commands",
                        "key=user_id,tenant",
                        "algorithm=gcra",
                        "limit=100",
                        "window=1m",
                        "applies_to.endpoints=/api/*",
                        "applies_to.headers.x-plan=7",
                        "description=42"))
                .isZero();
        JsonNode stored = json("policy", "get", "of-commands");
        assertThat(stored.path("key").toString()).isEqualTo("[\"user_id\",\"tenant\"]");
        assertThat(stored.at("/applies_to/headers/x-plan").asText()).isEqualTo("7");
        assertThat(stored.path("description").isTextual()).isTrue();

        assertThat(run("policy", "set", "of-commands", "limit=200", "enabled=false"))
                .isZero();
        assertThat(run("policy", "list", "algorithm=gcra", "--limit", "1000")).isZero();
        assertThat(out.lines()
                        .filter(line -> line.startsWith("of-commands "))
                        .findFirst()
                        .orElse(""))
                .containsSubsequence("200", "1m", "gcra", "user_id, tenant", "regional", "reject", "false");

        assertThat(run("policy", "delete", "of-commands", "--dry-run")).isZero();
        assertThat(run("policy", "get", "of-commands")).isZero();
        assertThat(run("policy", "delete", "of-commands")).isZero();
        assertThat(run("policy", "get", "of-commands")).isEqualTo(NOT_FOUND);
    }

    @Test
    void a_document_comes_from_a_pipe_as_json_or_yaml() throws Exception {
        assertThat(piped(
                        "id: from-pipe\nkey: [user_id]\nalgorithm: fixed_window\nlimit: 5\nwindow: 1h\n",
                        "policy",
                        "create",
                        "-",
                        "limit=6"))
                .isZero();
        assertThat(json("policy", "get", "from-pipe").path("limit").asLong()).isEqualTo(6);
        String version = json("policy", "get", "from-pipe").path("version").asText();
        assertThat(piped(
                        "{\"key\": [], \"algorithm\": \"fixed_window\", \"limit\": 9, \"window\": \"1h\"}",
                        "policy",
                        "set",
                        "from-pipe",
                        "-",
                        "--if-version",
                        version))
                .isZero();
        assertThat(json("policy", "get", "from-pipe").path("limit").asLong()).isEqualTo(9);
        assertThat(piped("id: x\nid: y\n", "policy", "create", "-")).isEqualTo(USAGE);
        assertThat(err).contains("the standard input:2").doesNotContain("Exception", "java");
        assertThat(piped(
                        "identifier_type,identifier,reason\nip,192.0.2.77,abuse\n", "deny", "import", "-", "--dry-run"))
                .isZero();
        assertThat(out).contains("created: 1");
    }

    @Test
    void a_refusal_says_the_problems_words_with_field_and_value() throws Exception {
        assertThat(run(
                        "policy",
                        "create",
                        "of-commands",
                        "key=user_id",
                        "algorithm=fixed_window",
                        "limit=-1",
                        "window=1x"))
                .isEqualTo(REFUSED);
        assertThat(err).contains("limit ", "got -1", "window ", "got 1x").doesNotContain("io.meridian", "Exception");

        assertThat(run(
                        "policy",
                        "create",
                        "of-commands",
                        "--json",
                        "key=user_id",
                        "algorithm=fixed_window",
                        "limit=1",
                        "window=1h",
                        "colour=blue"))
                .isEqualTo(REFUSED);
        assertThat(JSON.readTree(err).path("detail").asText()).contains("colour");
        assertThat(run("tier", "delete", "of-nobody")).isEqualTo(NOT_FOUND);
        assertThat(run("client", "set", "42", "tier=free")).isEqualTo(USAGE);
        assertThat(err).contains("TYPE:VALUE");
        assertThat(run("policy", "list", "scope=local")).isEqualTo(REFUSED);
        assertThat(err).contains("scope", "regional, global");
    }

    @Test
    void an_entry_that_somebody_else_changed_is_not_overwritten() throws Exception {
        run("policy", "create", "of-commands", "key=user_id", "algorithm=fixed_window", "limit=1", "window=1h");
        run("policy", "set", "of-commands", "limit=2");

        assertThat(run("policy", "set", "of-commands", "limit=3", "--if-version", "1"))
                .isEqualTo(REFUSED);
        assertThat(err).contains("412");
        assertThat(json("policy", "get", "of-commands").path("limit").asLong()).isEqualTo(2);
    }

    @Test
    void clients_overrides_and_lists_are_set_whether_they_exist_or_not() throws Exception {
        run("tier", "create", "of-commands");
        run("policy", "create", "of-commands", "key=user_id", "algorithm=fixed_window", "limit=1", "window=1h");

        for (int i = 0; i < 2; i++) {
            assertThat(run("client", "set", "user_id:77", "tier=of-commands")).isZero();
            assertThat(run("override", "set", "of-commands:user_id:77", "limit=" + (10 + i)))
                    .isZero();
            assertThat(run("allow", "set", "ip:198.51.100.0/24", "reason=007")).isZero();
            assertThat(run("deny", "set", "user_id:a/b c")).isZero();
        }

        assertThat(json("client", "get", "user_id:77").path("tier").asText()).isEqualTo("of-commands");
        assertThat(json("override", "get", "of-commands:user_id:77")
                        .path("limit")
                        .asLong())
                .isEqualTo(11);
        assertThat(json("allow", "get", "ip:198.51.100.0/24").path("reason").asText())
                .isEqualTo("007");
        assertThat(json("deny", "get", "user_id:a/b c").path("identifier").asText())
                .isEqualTo("a/b c");
        assertThat(run("allow", "delete", "ip:198.51.100.0/24")).isZero();
        assertThat(run("deny", "delete", "user_id:a/b c")).isZero();
        assertThat(run("client", "delete", "user_id:77")).isZero();
    }

    @Test
    void a_token_goes_to_a_file_of_its_owner_and_works_as_a_profile() throws Exception {
        Path secret = folder.resolve("viewer");
        JsonNode token = json("token", "create", "a viewer", "--role", "viewer", "--output", secret.toString());
        assertThat(token.has("token")).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                .isEqualTo("rw-------");
        assertThat(run("token", "create", "again", "--role", "viewer", "--output", secret.toString()))
                .isEqualTo(USAGE);
        assertThat(run("token", "list")).isZero();
        assertThat(out)
                .contains("a viewer")
                .doesNotContain(Files.readString(secret).strip());

        Path state = Files.createDirectories(folder.resolve("state"));
        Files.writeString(state.resolve("profiles"), "here.server=" + server() + "\nhere.token-file=" + secret + "\n");
        assertThat(execute("tier", "list", "--state-dir=" + state, "--profile=here"))
                .isZero();
        assertThat(execute("tier", "create", "of-commands", "--state-dir=" + state, "--profile=here"))
                .isEqualTo(REFUSED);
        assertThat(err).contains("403");
        assertThat(execute("tier", "list", "--state-dir=" + state, "--profile=there"))
                .isEqualTo(USAGE);
        assertThat(err).contains("no profile there", "there are: here");

        assertThat(run("token", "delete", token.path("id").asText())).isZero();
        assertThat(execute("tier", "list", "--state-dir=" + state, "--profile=here"))
                .isEqualTo(REFUSED);
        assertThat(err).contains("401");
    }

    @Test
    void what_was_recorded_is_shown_to_people_and_programs() throws Exception {
        run("policy", "create", "of-commands", "key=user_id", "algorithm=fixed_window", "limit=1", "window=1h");

        assertThat(run("audit", "--id", "of-commands", "--limit", "1")).isZero();
        assertThat(out).contains("created", "policy", "bootstrap");
        assertThat(json("audit", "list", "--kind", "policy", "--from", "1h", "--limit", "3")
                        .path("items"))
                .isNotEmpty();
        for (String each : List.of("violations", "top-offenders", "hot-keys")) {
            assertThat(run(each, "--policy", "of-commands")).isZero();
            assertThat(out).isEqualTo("None.\n");
        }
        assertThat(run("usage", "of-commands", "--from", "2h")).isZero();
        assertThat(out).startsWith("0 consumed");
        assertThat(run("what-if", "of-commands", "limit=2", "--from", "1h")).isZero();
        assertThat(out).contains("requests: 0", "assumptions:");
        assertThat(run("what-if", "of-nobody")).isEqualTo(NOT_FOUND);
    }

    @Test
    void regions_and_a_client_in_them_are_shown_in_words() throws Exception {
        try (FakeLimiters limiters =
                new FakeLimiters(ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class))) {
            RegionQueryReply.Standing global = new RegionQueryReply.Standing(
                    "world",
                    "user_id=42",
                    Scope.GLOBAL,
                    100,
                    30,
                    60,
                    7_000_000,
                    0,
                    new RegionQueryReply.Account(70, 10, 5, 25));
            RegionQueryReply.Standing own =
                    new RegionQueryReply.Standing("own", "user_id=42", Scope.REGIONAL, 10, 4, 6, 7_000_000, 3, null);
            limiters.runs("eu", "a", 0, FakeLimiters.answering("eu", "a", global, own));
            limiters.runs("us", "b", 0, question -> RegionQueryReply.failed(question, "us", "b", "its Redis is away"));
            eventually("both regions are live")
                    .until(() -> run("regions") == 0
                            && out.lines()
                                            .filter(line -> line.matches("(eu|us) +1 .*"))
                                            .count()
                                    == 2);

            eventually("eu answers").until(() -> run("inspect", "user_id:42") == NEGATIVE && out.contains("eu: "));
            assertThat(out)
                    .contains("Policy world, key user_id=42. One limit of 100 over all regions: 60 used, 40 left.")
                    .contains("the window account has 70 taken and 10 returned here, and knows of 5 used elsewhere")
                    .contains("floor and grants are 25")
                    .contains("the counter has 6 of 10 used, 4 left; of the used, 3 are leased");
            assertThat(err).contains("No answer from: us");
            run("inspect", "user_id=42", "--policy", "own");
            assertThat(out).contains("Policy own").doesNotContain("Policy world");
            run("client", "usage", "user_id:42");
            assertThat(out).contains("world", "own");
            run("client", "reset", "user_id:42", "--dry-run");
            assertThat(out).contains("Would reset in: eu");
        }
    }

    @Test
    void without_an_answer_the_reason_is_one_line_without_java() throws Exception {
        assertThat(execute("regions", "--server=http://127.0.0.1:1", "--token-file=" + folder.resolve("token")))
                .isEqualTo(UNAVAILABLE);
        assertThat(err.lines()).hasSize(1);
        assertThat(err).contains("nothing listens there").doesNotContain("Exception", "java.");
        assertThat(execute("regions", "--server=" + server())).isEqualTo(USAGE);
        assertThat(execute("regions", "--server=" + server(), "--token-file=" + folder.resolve("none")))
                .isEqualTo(USAGE);
    }

    private static String server() {
        return "http://127.0.0.1:" + RestAssured.port;
    }

    private JsonNode json(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        assertThat(run(all.toArray(String[]::new))).as(() -> err).isZero();
        return JSON.readTree(out);
    }

    private int piped(String input, String... arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return run(arguments);
        } finally {
            System.setIn(before);
        }
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server=" + server());
        all.add("--token-file=" + folder.resolve("token"));
        return execute(all.toArray(String[]::new));
    }

    private int execute(String... arguments) {
        StringWriter shown = new StringWriter();
        StringWriter told = new StringWriter();
        int code = Meridian.run(new PrintWriter(shown, true), new PrintWriter(told, true), arguments);
        out = shown.toString();
        err = told.toString();
        return code;
    }
}
