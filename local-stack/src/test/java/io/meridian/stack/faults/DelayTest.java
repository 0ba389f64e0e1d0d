package io.meridian.stack.faults;

import static eu.rekawek.toxiproxy.model.ToxicDirection.DOWNSTREAM;
import static eu.rekawek.toxiproxy.model.ToxicDirection.UPSTREAM;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import eu.rekawek.toxiproxy.model.toxic.Latency;
import io.meridian.testkit.Await;
import io.meridian.testkit.TestSeeds;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelayTest {
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
    void latency_both_ways_is_paid_twice() throws IOException {
        Caller caller = drill.dialled();
        drill.link.toxics().latency("up", UPSTREAM, 100);
        drill.link.toxics().latency("down", DOWNSTREAM, 50);
        long start = drill.now();

        assertThat(caller.ask("slowly")).isEqualTo("slowly");

        assertThat(Caller.millisSince(start)).isGreaterThanOrEqualTo(150);
    }

    @Test
    void jitter_takes_no_more_from_a_latency_than_it_may() throws IOException {
        Caller caller = drill.dialled();
        drill.link.toxics().latency("up", UPSTREAM, 60).setJitter(20);

        for (int i = 0; i < 5; i++) {
            long start = drill.now();
            caller.ask("slowly");
            assertThat(Caller.millisSince(start)).isGreaterThanOrEqualTo(40);
        }
    }

    @Test
    void removing_a_latency_lets_what_it_held_go_in_order() throws IOException {
        Caller caller = drill.dialled();
        Latency slow = drill.link.toxics().latency("slow", UPSTREAM, Drill.HOUR_MILLIS);
        caller.say("first ");

        slow.remove();
        caller.say("second");

        assertThat(caller.hear(12)).isEqualTo("first second");
        assertThat(drill.server.connectionsAccepted()).isEqualTo(1);
    }

    @Test
    void a_smaller_latency_counts_for_what_is_in_flight() throws IOException {
        Caller caller = drill.dialled();
        Latency slow = drill.link.toxics().latency("slow", DOWNSTREAM, Drill.HOUR_MILLIS);
        caller.say("hurry");
        eventually("the server answered").until(() -> drill.server.bytesEchoed() == 6);

        slow.setLatency(1);

        assertThat(caller.hear(5)).isEqualTo("hurry");
    }

    @Test
    void a_mebibyte_passes_latency_and_jitter_unchanged() throws Exception {
        byte[] sent = new byte[1 << 20];
        long seed = TestSeeds.first();
        new Random(seed).nextBytes(sent);
        Caller caller = drill.dialled();
        drill.link.toxics().latency("up", UPSTREAM, 20).setJitter(20);
        drill.link.toxics().latency("down", DOWNSTREAM, 10).setJitter(15);

        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try {
                caller.say(sent);
            } catch (IOException broken) {
                throw new AssertionError(broken);
            }
        });

        assertThat(caller.hearBytes(sent.length)).as("-Dmeridian.seed=%d", seed).isEqualTo(sent);
        sending.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void a_bandwidth_is_not_exceeded() throws IOException {
        Caller caller = drill.dialled();
        drill.link.toxics().bandwidth("narrow", UPSTREAM, 100);
        long start = drill.now();

        caller.say(new byte[20_000]);

        assertThat(caller.hearBytes(20_000)).hasSize(20_000);
        assertThat(Caller.millisSince(start)).isGreaterThanOrEqualTo(200);
    }

    @Test
    void a_slow_close_holds_the_end_back_and_not_the_data() throws IOException {
        Caller caller = drill.dialled();
        drill.link.toxics().slowClose("slow", UPSTREAM, 150);
        long start = drill.now();
        caller.say("data");
        caller.sayNoMore();

        assertThat(caller.hear(4)).isEqualTo("data");
        assertThat(caller.hearToTheEnd()).isEqualTo(EchoServer.FAREWELL);
        assertThat(Caller.millisSince(start)).isGreaterThanOrEqualTo(150);
    }
}
