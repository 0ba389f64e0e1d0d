package io.meridian.stack.faults;

import static eu.rekawek.toxiproxy.model.ToxicDirection.DOWNSTREAM;
import static eu.rekawek.toxiproxy.model.ToxicDirection.UPSTREAM;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import eu.rekawek.toxiproxy.model.Toxic;
import eu.rekawek.toxiproxy.model.toxic.Timeout;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That nothing came through is read off the closed connection, when what each side has seen is final. */
class BlackHoleTest {
    private Drill drill;

    @BeforeEach
    void start() throws IOException {
        drill = new Drill();
    }

    @AfterEach
    void stop() throws IOException {
        drill.close();
    }

    @Test
    void upstream_only_the_server_sees_nothing_and_is_still_heard() throws IOException {
        Caller caller = drill.dialled();
        Toxic hole = drill.link.toxics().timeout("hole", UPSTREAM, 0);

        caller.say("lost");
        drill.server.push("heard");

        assertThat(caller.hear(5)).isEqualTo("heard");
        hole.remove();
        assertThat(caller.hearUntilCut()).isEmpty();
        eventually("the server's end").until(() -> drill.server.connectionsEnded() == 1);
        assertThat(drill.server.received()).isEqualTo("?");
    }

    @Test
    void downstream_only_the_server_sees_the_data_and_its_answer_is_lost() throws IOException {
        Caller caller = drill.dialled();
        Toxic hole = drill.link.toxics().timeout("hole", DOWNSTREAM, 0);

        caller.say("seen");
        eventually("the server answered").until(() -> drill.server.bytesEchoed() == 5);

        assertThat(drill.server.received()).isEqualTo("?seen");
        hole.remove();
        assertThat(caller.hearUntilCut()).isEmpty();
    }

    @Test
    void both_ways_nothing_passes_and_the_connection_stays_open() throws IOException {
        Caller caller = drill.dialled();
        Toxic up = drill.link.toxics().timeout("up", UPSTREAM, 0);
        drill.link.toxics().timeout("down", DOWNSTREAM, 0);

        caller.say("lost");
        drill.server.push("lost too");

        assertThat(drill.proxy().connections()).isEqualTo(1);
        up.remove();
        assertThat(caller.hearUntilCut()).isEmpty();
        eventually("the server's end").until(() -> drill.server.connectionsEnded() == 1);
        assertThat(drill.server.received()).isEqualTo("?");
    }

    @Test
    void a_black_hole_swallows_what_is_in_flight() throws IOException {
        Caller caller = drill.dialled();
        drill.link.toxics().latency("slow", UPSTREAM, Drill.HOUR_MILLIS);
        caller.say("in flight");
        Toxic hole = drill.link.toxics().timeout("hole", UPSTREAM, 0);
        drill.link.toxics().get("slow").remove();

        hole.remove();

        assertThat(caller.hearUntilCut()).isEmpty();
        eventually("the server's end").until(() -> drill.server.connectionsEnded() == 1);
        assertThat(drill.server.received()).isEqualTo("?");
    }

    @Test
    void a_new_connection_falls_into_the_hole_and_one_after_it_is_healthy() throws IOException {
        Toxic hole = drill.link.toxics().timeout("hole", DOWNSTREAM, 0);
        Caller caller = drill.dial();
        caller.say("hello");
        eventually("the server answered").until(() -> drill.server.bytesEchoed() == 5);

        hole.remove();

        assertThat(caller.hearUntilCut()).isEmpty();
        assertThat(drill.dial().ask("healed")).isEqualTo("healed");
    }

    @Test
    void a_timeout_closes_the_connection_and_not_before() throws IOException {
        Caller caller = drill.dialled();
        long start = drill.now();
        drill.link.toxics().timeout("hole", DOWNSTREAM, 150);

        assertThat(caller.hearUntilCut()).isEmpty();
        assertThat(Caller.millisSince(start)).isGreaterThanOrEqualTo(150);
    }

    @Test
    void a_timeout_set_on_an_endless_hole_closes_its_connections() throws IOException {
        Caller caller = drill.dialled();
        Timeout hole = drill.link.toxics().timeout("hole", UPSTREAM, 0);

        hole.setTimeout(20);

        assertThat(caller.hearUntilCut()).isEmpty();
        assertThat(drill.link.toxics().get("hole", Timeout.class).getTimeout()).isEqualTo(20);
    }

    @Test
    void the_end_of_the_stream_in_a_black_hole_ends_the_connection() throws IOException {
        Caller caller = drill.dialled();
        drill.link.toxics().timeout("hole", UPSTREAM, 0);

        caller.close();

        eventually("the server's end").until(() -> drill.server.connectionsEnded() == 1);
        eventually("nothing is kept").until(() -> drill.proxy().connections() == 0);
    }

    @Test
    void a_hole_of_no_toxicity_affects_nobody() throws IOException {
        Caller caller = drill.dialled();
        Toxic hole = drill.link.toxics().timeout("hole", UPSTREAM, 0);
        assertThat(hole.getToxicity()).isEqualTo(1);
        hole.setToxicity(0);

        assertThat(caller.hearUntilCut()).as("it had lost its bytes").isEmpty();
        assertThat(drill.dial().ask("untouched")).isEqualTo("untouched");
    }
}
