package io.meridian.stack.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.meridian.stack.process.Loopback;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands of operations that other services answer, against the contract's answers; and what all commands have in common. */
@Timeout(120)
class AdminCommandsByContractTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer service = HttpServer.create(Loopback.at(0), 0);
    private final List<String> calls = new ArrayList<>();
    private final Path token;
    private JsonNode sent = JSON.missingNode();
    private int status = 200;
    private String answer = "{}";
    private String out = "";
    private String err = "";

    AdminCommandsByContractTest(@TempDir Path folder) throws IOException {
        token = Files.writeString(folder.resolve("token"), "a-token\n");
        service.createContext("/", this::answer);
        service.start();
    }

    @AfterEach
    void close() {
        service.stop(0);
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            calls.add(call.getRequestMethod() + " " + call.getRequestURI());
            sent = JSON.readTree(call.getRequestBody());
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(status, body.length);
            call.getResponseBody().write(body);
        }
    }

    @Test
    void an_explanation_says_which_policies_apply_and_why_others_do_not() throws Exception {
        answer = """
                {"asked_at": "2026-01-15T11:00:00Z", "revision": 12, "tier": {"name": "free", "source": "default"},
                 "policies": [
                   {"id": "per-user", "matched": true, "regions": ["us-east"], "key": "user_id=42", "limit": 100, "window": "1m",
                    "override": null, "mismatches": []},
                   {"id": "of-gold", "matched": false, "mismatches": [
                     {"selector": "tier", "name": null, "expected": ["gold"], "actual": "free"},
                     {"selector": "header", "name": "x-plan", "expected": ["beta"], "actual": null}]}],
                 "regions": [{"region": "us-east", "allowed": true, "detail": "allowed",
                              "limits": [{"policy": "per-user", "remaining": 93}]}]}""";

        assertThat(run(
                        "explain",
                        "user_id=42",
                        "tenant=acme",
                        "--endpoint=/api/x",
                        "--method=GET",
                        "--header",
                        "x-plan=1",
                        "--cost",
                        "2",
                        "--region",
                        "us-east"))
                .isZero();

        assertThat(sent).isEqualTo(JSON.readTree("""
                {"region": "us-east", "check": {"attributes": {"user_id": "42", "tenant": "acme"}, "endpoint": "/api/x",
                 "method": "GET", "headers": {"x-plan": "1"}, "cost": 2}}"""));
        assertThat(out)
                .contains("+ per-user applies: limit 100 per 1m, key user_id=42, in us-east")
                .contains("- of-gold does not apply: tier is free, needs gold; header x-plan is absent, needs beta")
                .contains("revision: 12", "name: free", "us-east", "93");
        assertThat(run("explain", "user_id=42", "--json")).isZero();
        assertThat(JSON.readTree(out)).isEqualTo(JSON.readTree(answer));
    }

    @Test
    void a_check_to_explain_may_come_from_a_pipe_and_an_answer_of_another_shape_is_shown_as_it_is() throws Exception {
        answer =
                "{\"verdict\": \"allowed\", \"steps\": [{\"name\": \"a\", \"took\": 1}, {\"name\": \"b\", \"more\": {\"x\": 2}}]}";
        InputStream before = System.in;
        System.setIn(
                new ByteArrayInputStream("{\"attributes\": {\"ip\": \"192.0.2.1\"}}".getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(run("explain", "-", "user_id=7")).isZero();
        } finally {
            System.setIn(before);
        }

        assertThat(sent.at("/check/attributes").toString()).isEqualTo("{\"ip\":\"192.0.2.1\",\"user_id\":\"7\"}");
        assertThat(out).contains("verdict: allowed", "steps:", "a", "b", "x: 2");
    }

    @Test
    void a_broken_promise_is_an_exit_code_of_its_own() throws Exception {
        String window = """
                {"policy": "world", "window_start": "2026-01-15T10:00:00Z", "window_end": "2026-01-15T11:00:00Z", "admitted": %d,
                 "limit": 20, "bound": 22, "kept": %s, "utilisation": 1.0}""";
        answer = "{\"items\": [" + window.formatted(21, "true") + "," + window.formatted(25, "null")
                + "], \"next\": null}";
        assertThat(run("promises", "--policy", "world")).isZero();
        assertThat(out).contains("world", "21", "22", "true");

        answer = "{\"items\": [" + window.formatted(30, "false") + "], \"next\": null}";
        assertThat(run("promises", "list", "--broken")).isEqualTo(1);
        assertThat(calls).last().asString().contains("kept=false");
        answer = "{\"items\": [], \"next\": null}";
        assertThat(run("promises")).isZero();
        assertThat(out).isEqualTo("None.\n");
    }

    @Test
    void lists_are_read_page_by_page_up_to_the_limit() {
        answer = "{\"items\": [{\"id\": 1}, {\"id\": 2}], \"next\": \"a b\"}";

        assertThat(run("audit", "--limit", "3", "--json")).isZero();

        assertThat(calls)
                .containsExactly("GET /admin/api/v1/audit?limit=3", "GET /admin/api/v1/audit?limit=1&cursor=a%20b");
        assertThat(run("audit", "--limit", "0")).isEqualTo(2);
        assertThat(err).contains("--limit must be from 1", "got 0");
    }

    @Test
    void reverts_and_proposals_call_their_operations() {
        run("audit", "revert", "17", "--dry-run");
        run("proposal", "approve", "3");
        run("proposal", "apply", "3", "--dry-run");
        run("client", "reset", "user_id=4/2,tenant=a c", "--endpoint=/x");

        assertThat(calls)
                .containsExactly(
                        "POST /admin/api/v1/audit/17/revert?dry_run=true",
                        "POST /admin/api/v1/proposals/3/approve",
                        "POST /admin/api/v1/proposals/3/apply?dry_run=true",
                        "DELETE /admin/api/v1/clients/user_id/4%2F2/counters?endpoint=%2Fx&tenant=a%20c");
    }

    @Test
    void every_kind_of_refusal_has_its_exit_code_and_the_problems_words() {
        answer = """
                {"title": "A value breaks a rule", "status": 422, "detail": "limit must be positive, got -1",
                 "errors": [{"field": "limit", "value": "-1", "rule": "must be positive"}]}""";
        status = 422;
        assertThat(run("policy", "set", "a", "limit=-1")).isEqualTo(4);
        assertThat(err).isEqualTo("A value breaks a rule (422)\n  limit must be positive, got -1\n");
        assertThat(run("policy", "set", "a", "limit=-1", "--json")).isEqualTo(4);
        assertThat(err).contains("\"errors\":[");

        answer = "{\"title\": \"Not found\", \"detail\": \"there is no policy \\u001b[31mred\"}";
        status = 404;
        assertThat(run("policy", "get", "red")).isEqualTo(3);
        assertThat(err).isEqualTo("Not found (404): there is no policy ?[31mred\n");

        status = 503;
        assertThat(run("policy", "get", "red")).isEqualTo(5);
        answer = "<html>not an API</html>";
        status = 200;
        assertThat(run("regions")).isEqualTo(5);
        assertThat(err).contains("is it a config-service?").doesNotContain("Exception");
    }

    @Test
    void what_a_terminal_would_obey_is_shown_as_a_question_mark() {
        answer = "{\"items\": [{\"id\": \"a\\u001b]0;x\\u0007\", \"limit\": 1}], \"next\": null}";

        assertThat(run("policy", "list")).isZero();

        assertThat(out).contains("a?]0;x?").doesNotContain("\u001b");
    }

    @Test
    void every_command_explains_itself() {
        assertThat(helped(Meridian.commandLine(), List.of())).isGreaterThan(50);
    }

    private int helped(CommandLine command, List<String> path) {
        int count = 1;
        for (var each : command.getSubcommands().entrySet()) {
            CommandLine inner = each.getValue();
            // Those that hand their arguments to another program are asked by its own tests.
            if (inner.getCommandSpec().unmatchedArgsBindings().isEmpty()) {
                List<String> name = new ArrayList<>(path);
                name.add(each.getKey());
                List<String> asked = new ArrayList<>(name);
                asked.add("--help");
                assertThat(execute(asked)).as(String.join(" ", asked)).isZero();
                assertThat(inner.getCommandSpec().usageMessage().description())
                        .as("%s", name)
                        .isNotEmpty();
                count += helped(inner, name);
            }
        }
        return count;
    }

    @Test
    void a_shell_takes_the_completion_and_completes_verbs() throws Exception {
        assertThat(execute(List.of("completion", "zsh"))).isZero();
        assertThat(execute(List.of("completion", "bash"))).isZero();

        Path script = Files.writeString(token.resolveSibling("completion"), out);
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script
                                + "; COMP_WORDS=(meridian policy cre); COMP_CWORD=2; _complete_meridian; echo \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                .isEqualTo("create");
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server=http://127.0.0.1:" + service.getAddress().getPort());
        all.add("--token-file=" + token);
        return execute(all);
    }

    private int execute(List<String> arguments) {
        StringWriter shown = new StringWriter();
        StringWriter told = new StringWriter();
        int code = Meridian.run(
                new PrintWriter(shown, true), new PrintWriter(told, true), arguments.toArray(String[]::new));
        out = shown.toString();
        err = told.toString();
        return code;
    }
}
