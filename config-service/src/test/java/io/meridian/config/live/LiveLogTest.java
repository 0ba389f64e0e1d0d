package io.meridian.config.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.live.LiveLog.Logged;
import io.meridian.config.live.LiveLog.Page;
import io.meridian.config.live.LiveLog.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveLogTest {
    private final LiveLog log = new LiveLog("p1", 3);

    @Test
    void a_client_takes_what_follows_its_position_in_pages() {
        Position start = log.end();
        List.of("a", "b", "c").forEach(each -> log.append("change", each));

        Page first = log.after(start, 2);
        Page second = log.after(first.next(), 2);

        assertThat(first.events()).extracting(Logged::data).containsExactly("a", "b");
        assertThat(second.events()).extracting(Logged::data).containsExactly("c");
        assertThat(second.next()).isEqualTo(log.end());
        assertThat(log.after(log.end(), 2).events()).isEmpty();
        assertThat(first.missed() || second.missed()).isFalse();
    }

    @Test
    void a_client_whose_next_event_was_dropped_is_told_so() {
        List.of("a", "b", "c", "d").forEach(each -> log.append("change", each));

        Page behind = log.after(new Position("p1", 0), 10);
        assertThat(behind.missed()).isTrue();
        assertThat(behind.events()).extracting(Logged::data).containsExactly("b", "c", "d");
        assertThat(log.after(new Position("p1", 1), 10).missed()).isFalse();
    }

    @Test
    void a_position_of_another_process_or_of_the_future_goes_on_at_the_end() {
        log.append("change", "a");

        for (Position foreign : List.of(new Position("p2", 1), new Position("p1", 2))) {
            Page page = log.after(foreign, 10);
            assertThat(page.missed()).isTrue();
            assertThat(page.events()).isEmpty();
            assertThat(page.next()).isEqualTo(log.end());
        }
    }

    @Test
    void a_position_is_read_from_its_text_and_nothing_else() {
        assertThat(Position.parse("p1-7")).contains(new Position("p1", 7));
        for (String wrong : List.of("", "7", "p1-", "p1-x", "P1-7", "p1-7 ", "p1-9999999999999999999")) {
            assertThat(Position.parse(wrong)).as(wrong).isEmpty();
        }
    }
}
