package io.meridian.stacktests.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.plan.PartNames;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Folders;
import io.meridian.stacktests.stack.MeridianCommand.Answer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The command as meridian.jar, far from the repository, on a whole stack. */
@ExtendWith(SharedStack.class)
@ResourceLock(SharedStack.LOCK)
@Timeout(900)
class CommandIT {
    private static final Path JAR = MeridianCommand.HOME.resolve("local-stack/target/meridian.jar");

    private final TestStack stack;

    CommandIT(TestStack stack) {
        this.stack = stack;
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
