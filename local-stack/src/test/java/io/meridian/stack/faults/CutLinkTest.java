package io.meridian.stack.faults;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.rekawek.toxiproxy.Proxy;
import io.meridian.stack.faults.Toxic.Direction;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CutLinkTest {
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
    void a_healthy_link_carries_both_ways() throws IOException {
        assertThat(drill.dial().ask("hello")).isEqualTo("hello");
        assertThat(drill.server.received()).isEqualTo("hello");
    }

    @Test
    void a_disabled_link_refuses_new_connections() throws IOException {
        drill.link.disable();

        assertThatThrownBy(drill::dial).isInstanceOf(ConnectException.class);
        assertThat(drill.server.connectionsAccepted()).isZero();
    }

    @Test
    void disabling_cuts_the_connections_that_live() throws IOException {
        Caller caller = drill.dialled();

        drill.link.disable();

        assertThat(caller.hearUntilCut()).isEmpty();
        eventually("the server lost the connection").until(() -> drill.server.connectionsEnded() == 1);
        assertThat(drill.proxy().connections()).isZero();
    }

    @Test
    void an_enabled_link_listens_on_the_port_it_had() throws IOException {
        int port = Drill.port(drill.link);
        drill.dialled();
        drill.link.disable();
        assertThat(Drill.port(drill.link)).isEqualTo(port);

        drill.link.enable();

        assertThat(Drill.port(drill.link)).isEqualTo(port);
        assertThat(drill.dial().ask("again")).isEqualTo("again");
    }

    @Test
    void a_disabled_link_keeps_its_port_from_others() throws IOException {
        drill.link.disable();

        try (Socket other = new Socket()) {
            other.setReuseAddress(false);
            assertThatThrownBy(() ->
                            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Drill.port(drill.link))))
                    .isInstanceOf(BindException.class);
        }
    }

    @Test
    void a_drill_in_java_needs_no_http() throws IOException {
        FaultProxy proxy = drill.proxies.add("direct", Drill.anyLoopbackPort(), drill.server.address());
        try (Caller caller = Caller.dial(proxy.listenPort())) {
            assertThat(caller.ask("hello")).isEqualTo("hello");

            proxy.add(Toxic.everywhere(Direction.UPSTREAM, new ToxicEffect.ResetPeer(0)));

            assertThatThrownBy(() -> caller.hear(1)).isInstanceOf(SocketException.class);
            assertThat(proxy.toxics()).extracting(Toxic::name).containsExactly("reset_peer_upstream");
            assertThat(drill.proxies.find("direct")).contains(proxy);
        }
    }

    @Test
    void cutting_one_link_leaves_another_alone() throws IOException {
        Proxy other = drill.newLink("other");
        Caller onOther = drill.dial(other);
        assertThat(onOther.ask("before")).isEqualTo("before");

        drill.link.disable();

        assertThat(onOther.ask("during")).isEqualTo("during");
        assertThat(drill.dial(other).ask("new")).isEqualTo("new");
    }

    @Test
    void a_dead_upstream_closes_the_connection() throws IOException {
        try (Socket deaf = new Socket()) {
            deaf.bind(Drill.anyLoopbackPort());
            drill.link.setUpstream("127.0.0.1:" + deaf.getLocalPort());

            assertThat(drill.dial().hearUntilCut()).isEmpty();
        }
    }

    @Test
    void another_upstream_cuts_the_connections_to_the_old_one() throws IOException {
        try (EchoServer another = new EchoServer()) {
            Caller caller = drill.dialled();

            drill.link.setUpstream(Endpoint.of(another.address()).toString());

            assertThat(caller.hearUntilCut()).isEmpty();
            assertThat(drill.dial().ask("moved")).isEqualTo("moved");
            assertThat(another.received()).isEqualTo("moved");
        }
    }

    @Test
    void another_listen_address_gives_up_the_old_one() throws IOException {
        int old = Drill.port(drill.link);

        drill.link.setListen("127.0.0.1:0");

        assertThat(drill.dial().ask("moved")).isEqualTo("moved");
        assertThat(Drill.port(drill.link)).isNotEqualTo(old);
        assertThatThrownBy(() -> Caller.dial(old)).isInstanceOf(ConnectException.class);
    }

    @Test
    void a_half_close_is_passed_on_and_the_other_half_stays_open() throws IOException {
        Caller caller = drill.dial();
        caller.say("last words");
        caller.sayNoMore();

        assertThat(caller.hearToTheEnd()).isEqualTo("last words" + EchoServer.FAREWELL);
        eventually("the connection is forgotten").until(() -> drill.proxy().connections() == 0);
    }

    @Test
    void a_connection_beyond_the_bound_is_reset_and_a_freed_place_is_given_again() throws IOException {
        try (Drill narrow = new Drill(2)) {
            Caller first = narrow.dialled();
            Caller second = narrow.dialled();

            // The reset may come as early as in the call that connects.
            assertThatThrownBy(() -> narrow.dial().hear(1)).isInstanceOf(SocketException.class);
            assertThat(second.ask("still here")).isEqualTo("still here");

            first.close();
            eventually("a place is free").until(() -> narrow.proxy().connections() == 1);
            assertThat(narrow.dial().ask("in")).isEqualTo("in");
        }
    }
}
