package io.meridian.limiter.rules.source;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.source.PolicySources.FileSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FileSourceTest {
    private final Path folder;
    private final Path file;
    private final SetTime time = new SetTime();
    private final ActiveRules live = new ActiveRules("us-east", time);

    FileSourceTest(@TempDir Path folder) {
        this.folder = folder;
        this.file = folder.resolve("policies.yaml");
    }

    @Test
    void edits_are_followed_and_a_broken_one_leaves_the_last_good_in_effect() throws Exception {
        Files.writeString(file, limit(1));
        try (FileSource source = new FileSource(file, live)) {
            assertThat(source.load()).isTrue();
            assertLimit(1);
            source.follow(Duration.ofMillis(5));

            Files.writeString(file, limit(2));
            eventually("the edit is in effect").until(() -> isLimit(2));
            Files.writeString(file, limit(3).replace("limit: 3", "limit: three"));
            eventually("the broken edit is refused").until(() -> refusals() == 1);
            assertLimit(2);
            Files.writeString(file, limit(4));
            eventually("the mended edit is in effect").until(() -> isLimit(4));
            assertThat(refusals()).isEqualTo(1);
            assertThat(live.status().origin()).isEqualTo(RuleOrigin.FILE);
        }
    }

    @Test
    void a_rename_over_the_file_and_a_link_that_leads_elsewhere_are_edits_too() throws Exception {
        Path link = folder.resolve("..data");
        Files.writeString(Files.createDirectory(folder.resolve("v1")).resolve("policies.yaml"), limit(1));
        Files.writeString(Files.createDirectory(folder.resolve("v2")).resolve("policies.yaml"), limit(2));
        Files.createSymbolicLink(link, Path.of("v1"));
        Files.createSymbolicLink(file, Path.of("..data", "policies.yaml"));
        try (FileSource source = new FileSource(file, live)) {
            assertThat(source.load()).isTrue();
            source.follow(Duration.ofMillis(5));

            Files.createSymbolicLink(folder.resolve("..tmp"), Path.of("v2"));
            Files.move(folder.resolve("..tmp"), link, StandardCopyOption.ATOMIC_MOVE);
            eventually("the other folder is in effect").until(() -> isLimit(2));

            Path draft = Files.writeString(folder.resolve("draft"), limit(3));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            eventually("the renamed file is in effect").until(() -> isLimit(3));
        }
    }

    @Test
    void a_file_in_the_middle_of_being_written_is_not_taken() throws Exception {
        Files.writeString(file, limit(1));
        try (FileSource source = new FileSource(file, live)) {
            source.load();

            Files.writeString(file, "policies: []\n");
            source.look();
            assertLimit(1);
            Files.writeString(file, limit(2) + "tiers: []\n");
            source.look();
            assertLimit(1);
            source.look();
            assertLimit(2);
        }
    }

    @Test
    void what_is_wrong_is_told_once_and_the_file_is_not_confirmed_until_it_is_right() throws Exception {
        Files.writeString(file, limit(1));
        try (FileSource source = new FileSource(file, live)) {
            source.load();
            time.pass(1_000);
            source.look();
            assertThat(live.status().ageMicros(time.wallMicros())).isZero();

            Files.delete(file);
            for (int i = 0; i < 5; i++) {
                time.pass(1_000);
                source.look();
            }
            assertThat(refusals()).isEqualTo(1);
            assertLimit(1);
            assertThat(live.status().ageMicros(time.wallMicros())).isEqualTo(5_000);

            Files.writeString(file, limit(1));
            source.look();
            source.look();
            source.look();
            assertThat(live.status().ageMicros(time.wallMicros())).isZero();
            assertThat(refusals()).isEqualTo(1);
        }
    }

    @Test
    void a_touched_file_is_the_same_rulebook() throws Exception {
        Files.writeString(file, limit(1));
        try (FileSource source = new FileSource(file, live)) {
            source.load();
            Object before = live.current();
            Files.setLastModifiedTime(file, FileTime.fromMillis(1));
            source.look();
            source.look();
            assertThat(live.current()).isSameAs(before);
        }
    }

    @Test
    void a_broken_or_missing_file_at_the_start_is_no_rulebook() throws Exception {
        try (FileSource source = new FileSource(file, live)) {
            assertThat(source.load()).isFalse();
            Files.writeString(file, "policies: [");
            assertThat(source.load()).isFalse();
            assertThat(refusals()).isEqualTo(2);
            Files.writeString(file, limit(1));
            assertThat(source.load()).isTrue();
        }
    }

    private long refusals() {
        return live.status().refused().getOrDefault("file", 0L);
    }

    private boolean isLimit(int limit) {
        return Asked.limits(live, "1").contains("p:" + limit);
    }

    private void assertLimit(int limit) {
        assertThat(Asked.limits(live, "1")).containsExactly("p:" + limit);
    }

    private static String limit(int limit) {
        return "policies:\n  - {id: p, key: [user_id], algorithm: fixed_window, limit: " + limit + ", window: 1m}\n";
    }
}
