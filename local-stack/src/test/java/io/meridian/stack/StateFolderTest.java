package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.StateFolder.SecretFile;
import io.meridian.stack.process.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
    private final Path root;
    private final StateFolder folder;

    StateFolderTest(@TempDir Path root) {
        this.root = root;
        this.folder = new StateFolder(root);
    }

    @Test
    void a_fresh_start_forgets_the_data_of_its_parts_and_nothing_else() throws Exception {
        SecretFile.ensureAll(folder);
        Path parts = file("data/postgres/base/1");
        Path redis = file("data/redis-eu-west/appendonly.aof");
        Path own = file("data/holiday.jpg");

        folder.forgetData();

        assertThat(parts).doesNotExist();
        assertThat(redis).doesNotExist();
        assertThat(own).exists();
    }

    @Test
    void data_where_no_stack_ever_ran_is_not_deleted() throws Exception {
        Path anothers = file("data/postgres/base/1");

        assertThatThrownBy(folder::forgetData).isInstanceOf(StartFailure.class).hasMessageContaining(root.toString());
        assertThat(anothers).exists();
    }

    @Test
    void there_may_be_nothing_to_forget() throws Exception {
        folder.forgetData();

        assertThat(root).isEmptyDirectory();
    }

    private Path file(String name) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "x");
    }
}
