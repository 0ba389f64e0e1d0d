package io.meridian.stack.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminTokenTest {
    @Test
    void the_token_is_made_once_and_only_its_owner_reads_it(@TempDir Path root) throws Exception {
        StateFolder folder = new StateFolder(root);

        String first = Files.readString(AdminToken.ensure(folder));
        String second = Files.readString(AdminToken.ensure(folder));

        assertThat(first).hasSize(65).isEqualTo(second);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.adminToken())))
                .isEqualTo("rw-------");
    }
}
