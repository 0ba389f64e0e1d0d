package io.meridian.stack.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.rules.FakeAdminApi;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PolicyCommandTest {
    private static final String POLICIES = """
            policies:
              - {id: per-user, key: [user_id], algorithm: token_bucket, limit: 100, window: 1m, applies_to: {endpoints: [/api/*]}}
            tiers:
              - {name: free, default: true}
            overrides:
              - {policy: per-user, identifier_type: user_id, identifier: "42", limit: 500}
            deny_list:
              - {identifier_type: ip, identifier: 192.0.2.0/24, reason: "an example: one"}
            """;

    private final Path folder;
    private final Path token;
    private final FakeAdminApi api = new FakeAdminApi();
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    PolicyCommandTest(@TempDir Path folder) throws Exception {
        this.folder = folder;
        this.token = Files.writeString(folder.resolve("token"), FakeAdminApi.TOKEN + "\n");
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void a_first_file_is_all_additions_and_applied_it_is_no_difference() throws Exception {
        Path file = file("a.yaml", POLICIES);

        assertThat(run("diff", file)).isEqualTo(1);
        assertThat(out.toString()).isEqualTo("""
                        + tier free {default: true}
                        + policy per-user
                            applies_to.endpoints: [/api/*]
                            key: [user_id]
                            algorithm: token_bucket
                            limit: 100
                            window: 1m
                        + override of per-user for user_id="42" {limit: 500}
                        + deny ip=192.0.2.0/24 {reason: "an example: one"}

                        4 to add, 0 to change, 0 to remove.
                        """);

        assertThat(run("apply", file)).isZero();
        assertThat(out.toString()).endsWith("Changed 4. The rules are at revision 1.\n");
        assertThat(run("diff", file)).isZero();
        assertThat(out.toString()).isEqualTo("No difference.\n");
        assertThat(run("apply", file)).isZero();
        assertThat(api.revision()).isEqualTo(1);
    }

    @Test
    void a_change_is_shown_field_by_field_and_what_is_missing_goes_only_when_told() throws Exception {
        run("apply", file("a.yaml", POLICIES));
        Path file = file("b.yaml", """
                policies:
                  - {id: per-user, key: [user_id], algorithm: token_bucket, limit: 200, window: 1m, burst: 5, applies_to: {endpoints: [/api/*], headers: {x-plan: "no"}}}
                deny_list: []
                """);

        assertThat(run("diff", file)).isEqualTo(1);
        assertThat(out.toString()).isEqualTo("""
                        ~ policy per-user
                            limit: 100 → 200
                            burst: 0 → 5
                            applies_to.headers.x-plan: nothing → "no"
                        - deny ip=192.0.2.0/24  (only with --prune)

                        0 to add, 1 to change, 1 to remove, only with --prune.
                        """);
        assertThat(run("apply", file)).isZero();
        assertThat(run("diff", file)).isEqualTo(1);
        assertThat(run("apply", file)).isZero();
        assertThat(out.toString()).endsWith("Nothing to change.\n");

        assertThat(run("apply", "--prune", file)).isZero();
        assertThat(out.toString()).contains("- deny ip=192.0.2.0/24\n").endsWith("revision 3.\n");
        assertThat(run("diff", file)).isZero();
    }

    @Test
    void what_the_service_refuses_is_told_with_its_file_and_nothing_is_changed() throws Exception {
        Path file = file("a.yaml", """
                tiers: [{name: free}]
                overrides:
                  - {policy: none, identifier_type: user_id, identifier: "42", limit: 500}
                """);

        assertThat(run("apply", "--dry-run", file)).isEqualTo(2);
        assertThat(run("apply", file)).isEqualTo(2);
        assertThat(errors.toString())
                .isEqualTo("The admin API refused the changes with 422:\n" + file
                        + ":3: override of none for user_id=\"42\": policy must be the id of a policy, got none\n"
                        + "Nothing of them was changed.\n");
        assertThat(api.revision()).isZero();
    }

    @Test
    void what_the_service_warns_of_is_shown_by_diff_and_apply() throws Exception {
        Path file =
                file("a.yaml", "policies: [{id: slip, key: [userid], algorithm: fixed_window, limit: 1, window: 1m}]");
        String warning = "Warning: key names the attribute userid\n";

        assertThat(run("diff", file)).isEqualTo(1);
        assertThat(out.toString()).endsWith("1 to add, 0 to change, 0 to remove.\n" + warning);
        assertThat(api.revision()).isZero();
        assertThat(run("apply", "--dry-run", file)).isZero();
        assertThat(out.toString()).contains(warning);
        assertThat(run("apply", file)).isZero();
        assertThat(out.toString()).contains(warning);
        assertThat(run("diff", file)).isZero();
        assertThat(out.toString()).isEqualTo("No difference.\n");
    }

    @Test
    void a_tier_that_does_not_exist_is_refused_with_its_place_and_taken_when_told() throws Exception {
        Path file = file("a.yaml", """
            policies:
              - {id: of-nobody, key: [], algorithm: fixed_window, limit: 1, window: 1m, applies_to: {tiers: [golden]}}
            """);
        String refusal = file + ":2: policy of-nobody: applies_to.tiers must be a tier that exists, got golden\n";

        assertThat(run("diff", file)).isEqualTo(1);
        assertThat(out.toString())
                .contains("+ policy of-nobody\n")
                .contains("would not take it")
                .contains(refusal);
        assertThat(run("apply", file)).isEqualTo(2);
        assertThat(errors.toString()).contains(refusal);
        assertThat(run("diff", "--allow-unknown", file)).isEqualTo(1);
        assertThat(out.toString()).doesNotContain("would not take it");
        assertThat(run("apply", "--allow-unknown", file)).isZero();
    }

    @Test
    void what_somebody_else_changed_since_it_was_compared_is_not_overwritten() throws Exception {
        Path file = file("a.yaml", POLICIES);
        api.changeBeforeChanges(1);

        assertThat(run("apply", file)).isEqualTo(2);
        assertThat(errors.toString())
                .isEqualTo(
                        "The rulebook was changed by somebody else since it was compared (It has changed since it was"
                                + " read). Nothing of these changes was made; look at the difference again.\n");

        assertThat(run("apply", file)).isZero();
        assertThat(out.toString()).endsWith("Changed 4. The rules are at revision 2.\n");
    }

    @Test
    void a_dry_run_changes_nothing() throws Exception {
        assertThat(run("apply", "--dry-run", file("a.yaml", POLICIES))).isZero();

        assertThat(out.toString()).endsWith("The service would take it. Nothing was changed.\n");
        assertThat(api.revision()).isZero();
        assertThat(api.calls()).isEqualTo(1);
    }

    @Test
    void an_export_is_a_file_for_people() throws Exception {
        run("apply", file("a.yaml", POLICIES));
        Path exported = folder.resolve("exported.yaml");

        assertThat(run("export", "--output", exported)).isZero();

        assertThat(exported)
                .content()
                .startsWith("# The rulebook of a Meridian")
                .endsWith("""

                        tiers:
                          - {name: free, default: true}

                        policies:
                          - id: per-user
                            applies_to: {endpoints: [/api/*]}
                            key: [user_id]
                            algorithm: token_bucket
                            limit: 100
                            window: 1m

                        client_tiers: []

                        overrides:
                          - {policy: per-user, identifier_type: user_id, identifier: "42", limit: 500}

                        allow_list: []

                        deny_list:
                          - {identifier_type: ip, identifier: 192.0.2.0/24, reason: "an example: one"}

                        adaptive: # none is set: the built-in table holds
                        """);
        assertThat(run("apply", "--prune", exported)).isZero();
        assertThat(out.toString()).isEqualTo("No difference.\nNothing to change.\n");
    }

    @Test
    void a_rulebook_that_changes_while_it_is_read_is_read_again_and_then_given_up() throws Exception {
        Path exported = folder.resolve("exported.yaml");
        api.changeDuringReads(3);
        assertThat(run("export", "-o", exported)).isZero();

        api.changeDuringReads(100);
        assertThat(run("export", "-o", folder.resolve("never.yaml"))).isEqualTo(2);
        assertThat(errors.toString()).contains("changed while it was read");
        assertThat(folder.resolve("never.yaml")).doesNotExist();
    }

    @Test
    void a_wrong_token_is_one_line_that_does_not_tell_it() throws Exception {
        Files.writeString(token, "secret-of-someone-else");

        assertThat(run("export")).isEqualTo(2);
        assertThat(errors.toString())
                .isEqualTo("The admin API refused /revision with 401: The token is missing or wrong."
                        + " Is it the token of this deployment?\n");
    }

    @Test
    void nobody_there_is_one_line() throws Exception {
        api.close();

        assertThat(run("diff", file("a.yaml", POLICIES))).isEqualTo(2);
        assertThat(errors.toString()).containsOnlyOnce("\n").contains("cannot be asked");
    }

    @Test
    void without_a_stack_or_with_half_an_address_nothing_is_asked() {
        String state = "--state-dir=" + folder.resolve("state");

        assertThat(execute(List.of("policy", "export", state))).isEqualTo(2);
        assertThat(errors.toString()).startsWith("No deployment is named: give --server and --token-file");
        assertThat(execute(List.of("policy", "export", "--url=" + api.url()))).isEqualTo(2);
        assertThat(errors.toString()).startsWith("--server needs --token-file");
        assertThat(execute(List.of("policy", "export", "--url=ftp://x", "--token-file=" + token)))
                .isEqualTo(2);
        assertThat(errors.toString()).startsWith("--server must be like https://");
    }

    private int run(String command, Object... arguments) {
        List<String> all = new ArrayList<>(List.of("policy", command, "--url=" + api.url(), "--token-file=" + token));
        for (Object argument : arguments) {
            all.add(argument.toString());
        }
        return execute(all);
    }

    private int execute(List<String> arguments) {
        out.getBuffer().setLength(0);
        errors.getBuffer().setLength(0);
        return Meridian.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(errors, true))
                .execute(arguments.toArray(String[]::new));
    }

    private Path file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }
}
