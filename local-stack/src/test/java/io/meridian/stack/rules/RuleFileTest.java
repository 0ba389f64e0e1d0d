package io.meridian.stack.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.stack.rules.RuleFile.PlacedEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleFileTest {
    private final Path folder;

    RuleFileTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policy: [] | :1: policy is no section; there are default_tier, tiers, policies",
                "- a | must be a mapping",
                "policies: 7 | :1: policies must be a list",
                "tiers: [{name: a}, {name: a}] | :1: tier a stands at",
                "tiers: [{name: a, colour: red}] | :1: tiers[0]: a tier has no field colour",
                "tiers: [{name: a, name: b}] | :1: must be YAML: Duplicate",
                "tiers: [&a {name: a}, *a] | :1: must be YAML: an alias",
                "deny_list: [{identifier_type: api_key, identifier: 7}] | identifier must be a text, got 7",
                "default_tier: gold | default_tier must be one of the tiers of these files, got gold",
                "adaptive: [] | adaptive: steps must end with a step for a load of 100",
                "tiers: [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]] | must be YAML",
                "'tiers: [' | must be YAML",
                "'tiers: [{name: a: b}]' | :1: must be YAML: while parsing a flow mapping, expected ',' or '}'",
            })
    void what_is_wrong_is_named_with_its_file_and_line(String yaml, String message) throws Exception {
        Path file = file("a.yaml", yaml);

        assertThatThrownBy(() -> RuleFile.read(List.of(file)))
                .isInstanceOf(RuleFailure.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void everything_that_is_wrong_is_named_at_once() throws Exception {
        Path file = file("a.yaml", """
                policies:
                  - {id: a, key: [user_id], algorithm: gcra, limit: 0, window: 1m}

                  - {id: b, key: [user_id], algorithm: none, limit: 1, window: 1m}
                tears: []
                """);

        assertThatThrownBy(() -> RuleFile.read(List.of(file)))
                .hasMessageContainingAll(
                        "a.yaml:2: policies[0]: limit", "a.yaml:4: policies[1]: algorithm", "a.yaml:5: tears");
    }

    @Test
    void files_are_taken_together_and_may_not_say_one_thing_twice() throws Exception {
        Path one = file("one.yaml", "tiers: [{name: a}]\ndefault_tier: b");
        Path two = file(
                "two.yaml",
                "tiers: [{name: b, description: other, upgrade_url: \"https://acme.test/plans\"}]\ndeny_list:");

        RuleFile rulebook = RuleFile.read(List.of(one, two));

        assertThat(rulebook.sections()).containsExactlyInAnyOrder(Section.TIERS, Section.DENY_LIST);
        assertThat(rulebook.entries().get(new RuleEntry.Key.OfTier("b")))
                .isEqualTo(new PlacedEntry(
                        new RuleEntry.OfTier(new Tier("b", "other", true, Optional.of("https://acme.test/plans"))),
                        two.toString(),
                        1));
        assertThatThrownBy(() -> RuleFile.read(List.of(one, two, file("three.yaml", "\ntiers: [{name: a}]"))))
                .hasMessage(folder.resolve("three.yaml") + ":2: tier a stands at " + one + ":1 already");
    }

    @Test
    void two_default_tiers_are_refused() throws Exception {
        Path file = file("a.yaml", "tiers: [{name: a, default: true}, {name: b, default: true}]");

        assertThatThrownBy(() -> RuleFile.read(List.of(file))).hasMessageContaining("there is one default tier: a");
    }

    @Test
    void a_file_that_is_missing_or_no_text_is_one_line() throws Exception {
        Path broken = Files.write(folder.resolve("broken.yaml"), new byte[] {'t', ':', ' ', (byte) 0xC3, '('});

        assertThatThrownBy(() -> RuleFile.read(List.of(folder.resolve("none.yaml"), broken)))
                .hasMessageMatching("(?s).*none.yaml: does not exist\n.*broken.yaml.*");
    }

    @Test
    void more_entries_than_the_heap_has_room_for_are_refused() throws Exception {
        List<String> lines = new ArrayList<>(List.of("allow_list:"));
        for (int i = 0; i <= RuleFile.ENTRIES_MAX; i++) {
            lines.add("- {identifier_type: user_id, identifier: u" + i + "}");
        }
        Path file = Files.write(folder.resolve("long.yaml"), lines, StandardCharsets.UTF_8);

        assertThatThrownBy(() -> RuleFile.read(List.of(file)))
                .hasMessageContaining(":" + (RuleFile.ENTRIES_MAX + 2) + ": is one more than the 200000 entries");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
