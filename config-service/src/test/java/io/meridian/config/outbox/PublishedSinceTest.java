package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.outbox.Outbox.Pending;
import io.meridian.config.outbox.TopicReconciliation.PublishedSince;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PublishedSinceTest {
    private static final RuleEntry.Key ONE = new RuleEntry.Key.OfPolicy("one");

    private final PublishedSince meanwhile = new PublishedSince();

    @Test
    void it_knows_what_was_published() {
        meanwhile.add(List.of(new Pending(1, 1, EntryCodec.key(ONE), null)));

        assertThat(meanwhile.contains(ONE)).isTrue();
        assertThat(meanwhile.contains(new RuleEntry.Key.OfPolicy("two"))).isFalse();
    }

    @Test
    void of_too_many_it_knows_none_from_another() {
        meanwhile.add(IntStream.range(0, PublishedSince.KEYS_MAX)
                .mapToObj(i -> new Pending(i, 1, "policy/" + i, null))
                .toList());

        assertThat(meanwhile.contains(ONE)).isTrue();
    }
}
