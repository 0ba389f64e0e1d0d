package io.meridian.stack.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class RoundTripTest {
    private static final int RULEBOOKS = TestAmounts.of(30, 200);

    private final Path file;
    private final Path again;

    RoundTripTest(@TempDir Path folder) {
        this.file = folder.resolve("rulebook.yaml");
        this.again = folder.resolve("again.yaml");
    }

    @Test
    void an_export_says_all_and_applied_elsewhere_exports_the_same_bytes() throws Exception {
        try (FakeAdminApi one = new FakeAdminApi();
                FakeAdminApi other = new FakeAdminApi()) {
            TestSeeds.forEachHistory(RULEBOOKS, random -> {
                one.clear();
                other.clear();
                RandomRulebook.of(random).forEach(one::put);
                // What another rulebook had before must go.
                RandomRulebook.of(random).forEach(other::put);
                one.pagesOfAtMost(1 + random.nextInt(4));

                RuleExport.to(file, one.client());
                assertThat(RuleDiff.between(one.client(), read(file)).all()).isEmpty();
                RuleDiff differences = RuleDiff.between(other.client(), read(file));
                RuleUpdate update = new RuleUpdate(other.client(), differences, true, true);
                for (int call = 0; call < update.calls(); call++) {
                    update.send(call);
                }
                RuleExport.to(again, other.client());

                assertThat(again).hasSameBinaryContentAs(file);
            });
        }
    }

    @Test
    void long_lists_go_through_a_page_at_a_time_and_are_applied_in_several_calls() throws Exception {
        try (FakeAdminApi one = new FakeAdminApi();
                FakeAdminApi other = new FakeAdminApi()) {
            int lines = 2 * RuleUpdate.CHANGES_MAX + 1;
            for (int i = 0; i < lines; i++) {
                one.put(Section.DENY_LIST.read(JsonNodeFactory.instance
                        .objectNode()
                        .put("identifier_type", "api_key")
                        .put("identifier", "k-" + i)));
            }

            RuleExport.to(file, one.client());
            RuleUpdate update =
                    new RuleUpdate(other.client(), RuleDiff.between(other.client(), read(file)), false, true);

            assertThat(update.calls()).isEqualTo(3);
            for (int call = 0; call < update.calls(); call++) {
                update.send(call);
            }
            assertThat(other.calls()).isEqualTo(3);
            assertThat(RuleDiff.between(other.client(), read(file)).isEmpty()).isTrue();
        }
    }

    private static RuleFile read(Path file) {
        return RuleFile.read(List.of(file));
    }
}
