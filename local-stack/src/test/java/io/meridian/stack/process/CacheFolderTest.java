package io.meridian.stack.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    @Test
    void those_who_unpack_at_the_same_time_get_the_same_whole_entry(@TempDir Path root) throws Exception {
        CacheFolder cache = new CacheFolder(root);
        Callable<Path> unpack = () -> cache.file(ChildProcess.class, "guard.sh");
        ExecutorService workers = Executors.newFixedThreadPool(8);
        try {
            List<Future<Path>> files = workers.invokeAll(Collections.nCopies(8, unpack));
            for (Future<Path> file : files) {
                assertThat(file.get()).isEqualTo(files.get(0).get()).content().startsWith("#!/bin/sh");
            }
        } finally {
            workers.shutdown();
        }
        try (var entries = Files.list(root)) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    void an_empty_name_is_none() {
        assertThat(CacheFolder.ofUser(Map.of("HOME", "/home/me", "MERIDIAN_CACHE", "")))
                .isEqualTo(new CacheFolder(Path.of("/home/me/.cache/meridian")));
        assertThat(CacheFolder.ofUser(Map.of("HOME", "", "MERIDIAN_CACHE", "/cache")))
                .isEqualTo(new CacheFolder(Path.of("/cache")));
    }

    @Test
    void an_unpacking_that_fails_leaves_nothing(@TempDir Path root) {
        CacheFolder cache = new CacheFolder(root);

        assertThatThrownBy(() -> cache.unpacked(ChildProcess.class, "guard.sh", (source, target) -> {
                    Files.writeString(target.resolve("half"), "x");
                    throw new IOException("disk full");
                }))
                .hasMessage("disk full");
        assertThat(root).isEmptyDirectory();
    }
}
