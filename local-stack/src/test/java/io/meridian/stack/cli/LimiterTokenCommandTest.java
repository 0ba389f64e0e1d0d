package io.meridian.stack.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenHash;
import io.meridian.model.access.TokenList;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LimiterTokenCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();
    private final Path file;

    LimiterTokenCommandTest(@TempDir Path folder) {
        this.file = folder.resolve("tokens");
    }

    private int run(String... arguments) {
        CommandLine command =
                Meridian.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    @Test
    void a_token_is_shown_with_the_line_that_a_limiter_knows_it_by() {
        assertThat(run("limiter-token", "jobs", "--scopes=check,operate")).isZero();

        List<String> lines = out.toString().lines().toList();
        String token = lines.get(0).replace("token: ", "");
        TokenEntry entry =
                TokenList.parse(lines.get(1).replace("line:  ", "")).tokens().get(0);
        assertThat(token).startsWith("mrd_").hasSize(47);
        assertThat(entry.name()).isEqualTo("jobs");
        assertThat(entry.scopes()).containsExactlyInAnyOrder(TokenScope.CHECK, TokenScope.OPERATE);
        assertThat(entry.hash().isSame(TokenHash.of(token))).isTrue();
    }

    @Test
    void lines_are_added_to_a_file_that_only_its_owner_reads_and_that_holds_no_token() throws Exception {
        assertThat(run("limiter-token", "jobs", "--scopes=operate", "--file=" + file))
                .isZero();
        assertThat(run("limiter-token", "web", "--scopes=check", "--file=" + file))
                .isZero();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        List<String> tokens = out.toString().lines().toList();
        TokenList list = TokenList.parse(Files.readString(file));
        assertThat(list.tokens()).extracting(TokenEntry::name).containsExactly("jobs", "web");
        assertThat(list.tokens().get(1).hash().isSame(TokenHash.of(tokens.get(1))))
                .isTrue();
        assertThat(Files.readString(file)).doesNotContain("mrd_");
    }

    @Test
    void what_would_be_wrong_is_refused_and_the_file_stays() throws Exception {
        run("limiter-token", "jobs", "--scopes=operate", "--file=" + file);
        String before = Files.readString(file);

        assertThat(run("limiter-token", "jobs", "--scopes=check", "--file=" + file))
                .isEqualTo(1);
        assertThat(run("limiter-token", "Jobs", "--scopes=check")).isEqualTo(1);
        assertThat(run("limiter-token", "web", "--scopes=admin")).isEqualTo(1);
        assertThat(run("limiter-token", "web")).isEqualTo(2);

        assertThat(errors.toString())
                .contains("line 2: the name jobs was given before")
                .contains("the name must have 1 to 40 characters")
                .contains("scopes must be of check, operate, load, got 'admin'");
        assertThat(Files.readString(file)).isEqualTo(before);
    }
}
