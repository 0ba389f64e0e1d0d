package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.hash.KeySecret;
import io.meridian.stack.StateFolder.SecretFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    @Test
    void secrets_are_made_once_and_only_their_owner_reads_them(@TempDir Path root) throws Exception {
        StateFolder folder = new StateFolder(root);

        SecretFile.ensureAll(folder);
        String token = Files.readString(folder.adminToken());
        String keys = Files.readString(folder.keySecret());
        SecretFile.ensureAll(folder);

        assertThat(Files.readString(folder.adminToken())).isEqualTo(token).hasSize(65);
        assertThat(Files.readString(folder.keySecret())).isEqualTo(keys).hasSize(33);
        for (Path each : List.of(folder.adminToken(), folder.keySecret())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void every_stack_has_a_secret_of_its_own_that_services_take(@TempDir Path one, @TempDir Path other)
            throws Exception {
        SecretFile.ensureAll(new StateFolder(one));
        SecretFile.ensureAll(new StateFolder(other));

        assertThat(secret(one).check()).isNotEqualTo(secret(other).check());
    }

    private static KeySecret secret(Path root) throws Exception {
        return KeySecret.parse(
                Files.readString(new StateFolder(root).keySecret()).strip());
    }
}
