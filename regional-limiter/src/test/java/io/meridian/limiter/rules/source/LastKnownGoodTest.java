package io.meridian.limiter.rules.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RegionRules.Listing;
import io.meridian.limiter.rules.RuleSet.RuleSetBuilder;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.source.PolicySources.BuiltInPolicies;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.testkit.TestAmounts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastKnownGoodTest {
    private static final String RULES = """
            policies: [{id: p, key: [user_id], algorithm: token_bucket, limit: 5, window: 1m}]
            tiers: [{name: free, description: "two\\nlines", default: true}]
            client_tiers: [{identifier_type: ip, identifier: "2001:db8::/32", tier: pro}]
            overrides: [{policy: p, identifier_type: user_id, identifier: "a/b%", limit: 7, burst: 2}]
            allow_list: [{identifier_type: user_id, identifier: "地球"}]
            deny_list: [{identifier_type: api_key, identifier: k, expires_at: "2099-01-01T00:00:00Z"}]
            adaptive: [{load_percent: 100, limit_percent: 10}]
            """;

    private final Path copies;
    private final Path file;
    private final SetTime time = new SetTime();
    private final ActiveRules live = new ActiveRules("us-east", time);

    LastKnownGoodTest(@TempDir Path folder) {
        this.copies = folder.resolve("copies");
        this.file = copies.resolve("policies.copy");
    }

    @Test
    void a_copy_brings_back_what_was_in_effect_and_says_how_old_it_is() throws Exception {
        write();
        time.pass(60_000_000);
        ActiveRules next = new ActiveRules("us-east", time);

        assertThat(new LastKnownGood(file, next).load()).isTrue();
        assertThat(next.status().origin()).isEqualTo(RuleOrigin.COPY);
        assertThat(next.status().intended()).isFalse();
        assertThat(next.status().ageMicros(time.wallMicros())).isEqualTo(60_000_000);
        assertThat(next.rules().policies()).isEqualTo(live.rules().policies());
        assertThat(next.rules().tiers()).isEqualTo(live.rules().tiers());
        assertThat(next.rules().adaptive()).isEqualTo(live.rules().adaptive());
        assertThat(next.status().clientEntries()).isEqualTo(4);
        assertThat(Asked.limits(next, "a/b%")).containsExactly("p:7");
        assertThat(Asked.listing(next, "user_id", "地球")).isEqualTo(new Listing.Exempt());
        assertThat(Asked.listing(next, "api_key", "k")).isEqualTo(new Listing.Barred("api_key", "k"));
    }

    @Test
    void a_copy_knows_its_revision() throws Exception {
        live.replaceByTopic(PolicyFile.read(RULES.getBytes(StandardCharsets.UTF_8)), 17);
        new LastKnownGood(file, live).write();
        ActiveRules next = new ActiveRules("us-east", time);

        assertThat(new LastKnownGood(file, next).load()).isTrue();
        assertThat(next.status().revision()).isEqualTo(17);
        assertThat(next.status().refused()).isEmpty();
    }

    @Test
    void a_copy_that_was_cut_or_changed_anywhere_is_refused_and_nothing_happens() throws Exception {
        write();
        byte[] good = Files.readAllBytes(file);
        int refused = 0;
        for (int at = 0; at < good.length; at += 7) {
            byte[] changed = good.clone();
            changed[at] ^= 1;
            Files.write(file, changed);
            ActiveRules next = new ActiveRules("us-east", time);
            assertThat(new LastKnownGood(file, next).load()).isFalse();
            Files.write(file, Arrays.copyOf(good, at));
            assertThat(new LastKnownGood(file, next).load()).isFalse();
            assertThat(next.status().refused().get("copy")).isEqualTo(2);
            assertThat(next.status().policies()).isZero();
            refused++;
        }
        assertThat(refused).isGreaterThan(50);
        Files.write(file, good);
        assertThat(new LastKnownGood(file, live).load()).isTrue();
    }

    @Test
    void an_entry_of_another_build_is_skipped_though_the_copy_is_sound() throws Exception {
        write();
        String lines = Files.readString(file).replace("tier/free\t{\"format\":1", "tier/free\t{\"format\":9");
        String body = lines.substring(0, lines.indexOf("checksum "));
        CRC32C checksum = new CRC32C();
        checksum.update(body.getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                file, body + "checksum " + body.lines().count() + " " + Long.toHexString(checksum.getValue()) + "\n");
        ActiveRules next = new ActiveRules("us-east", time);

        assertThat(new LastKnownGood(file, next).load()).isTrue();
        assertThat(next.rules().tiers()).isEmpty();
        assertThat(next.rules().policies()).hasSize(1);
        assertThat(next.status().refused()).containsEntry("copy", 1L);
    }

    @Test
    void what_stands_in_for_a_source_is_not_written_and_what_did_not_change_is_written_once() throws Exception {
        live.replace(BuiltInPolicies.read(), RuleOrigin.DEFAULTS, false);
        LastKnownGood copy = new LastKnownGood(file, live);
        copy.write();
        assertThat(file).doesNotExist();

        live.replace(PolicyFile.read(RULES.getBytes(StandardCharsets.UTF_8)), RuleOrigin.FILE, true);
        copy.write();
        assertThat(file).exists();
        Files.delete(file);
        copy.write();
        assertThat(file).doesNotExist();
        copy.close();
    }

    @Test
    void a_copy_that_cannot_be_written_does_no_harm() throws Exception {
        Files.writeString(copies, "a file where a folder should be");
        live.replace(PolicyFile.read(RULES.getBytes(StandardCharsets.UTF_8)), RuleOrigin.FILE, true);

        new LastKnownGood(file, live).write();

        assertThat(Asked.limits(live, "1")).containsExactly("p:5");
    }

    @Test
    void many_entries_are_written_and_read() throws Exception {
        int entries = TestAmounts.of(100_000, 1_000_000);
        RuleSetBuilder rules = new RuleSetBuilder();
        for (int i = 0; i < entries; i++) {
            rules.put(new RuleEntry.OfList(
                    ListKind.DENY, new ListEntry(new Identifier("api_key", "key-" + i), "", Expiry.NEVER)));
        }
        live.replace(rules.publish(), RuleOrigin.TOPIC, true);
        new LastKnownGood(file, live).write();
        ActiveRules next = new ActiveRules("us-east", time);

        assertThat(new LastKnownGood(file, next).load()).isTrue();
        assertThat(next.status().clientEntries()).isEqualTo(entries);
        assertThat(Asked.listing(next, "api_key", "key-" + (entries - 1))).isInstanceOf(Listing.Barred.class);
        System.out.println("a copy of " + entries + " entries: " + (Files.size(file) >> 20) + " MiB");
    }

    private void write() throws Exception {
        live.replace(PolicyFile.read(RULES.getBytes(StandardCharsets.UTF_8)), RuleOrigin.FILE, true);
        new LastKnownGood(file, live).write();
    }
}
