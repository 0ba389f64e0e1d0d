package io.meridian.stack.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
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
}
