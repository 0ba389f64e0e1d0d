package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.fixture.Eventually;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whose turn it is to publish. */
@ExtendWith(OutboxServers.class)
@Timeout(120)
class TermTest {
    private final TermLock ours;
    private final TermLock theirs;

    TermTest(OutboxStand stand) {
        ours = new TermLock(stand.database(), "ours", Duration.ofSeconds(3));
        theirs = new TermLock(stand.database(), "theirs", Duration.ofSeconds(3));
    }

    @AfterEach
    void release() {
        ours.release();
        theirs.release();
    }

    @Test
    void what_takes_longer_than_a_term_keeps_it_by_renewing_it_on_the_way() throws Exception {
        TimeSource time = TimeSource.system();
        long startNanos = time.monotonicNanos();
        assertThat(ours.hold()).isTrue();
        Term term = new Term(ours, time);

        Eventually.holds("more than a term is over", () -> {
            term.renew();
            assertThat(theirs.hold()).isFalse();
            return time.monotonicNanos() - startNanos
                    > ours.term().multipliedBy(2).toNanos();
        });
    }

    @Test
    void who_did_not_renew_it_in_time_finds_out() throws Exception {
        assertThat(ours.hold()).isTrue();
        Term term = new Term(ours, TimeSource.system());
        Eventually.holds("it ends by itself", theirs::hold);

        assertThatThrownBy(term::renew).isInstanceOf(TermEnded.class);
    }
}
