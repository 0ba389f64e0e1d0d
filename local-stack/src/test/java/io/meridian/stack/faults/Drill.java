package io.meridian.stack.faults;

import static org.assertj.core.api.Assertions.assertThat;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** An echo server behind a fault proxy, steered by the Toxiproxy client. */
final class Drill implements AutoCloseable {
    static final long HOUR_MILLIS = 3_600_000;

    final EchoServer server = new EchoServer();
    final FaultProxies proxies;
    final ToxiproxyClient client;
    final Proxy link;
    private final List<Caller> callers = new ArrayList<>();

    Drill() throws IOException {
        this(FaultProxies.LINKS_MAX);
    }

    Drill(int linksMax) throws IOException {
        proxies = FaultProxies.start(0, 42, linksMax);
        client = new ToxiproxyClient("127.0.0.1", proxies.apiPort());
        link = newLink("link");
    }

    Proxy newLink(String name) throws IOException {
        return client.createProxy(
                name, "127.0.0.1:0", Endpoint.of(server.address()).toString());
    }

    Caller dial() throws IOException {
        return dial(link);
    }

    /** A connection through the proxy, known to reach the server. */
    Caller dialled() throws IOException {
        Caller caller = dial(link);
        assertThat(caller.ask("?")).as("echo through a healthy link").isEqualTo("?");
        return caller;
    }

    Caller dial(Proxy through) throws IOException {
        Caller caller = Caller.dial(port(through));
        callers.add(caller);
        return caller;
    }

    FaultProxy proxy() {
        return proxies.require("link");
    }

    long now() {
        return TimeSource.system().monotonicNanos();
    }

    static int port(Proxy proxy) {
        return Endpoint.parse("listen", proxy.getListen()).port();
    }

    static InetSocketAddress anyLoopbackPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public void close() throws IOException {
        for (Caller caller : callers) {
            caller.close();
        }
        proxies.close();
        server.close();
    }
}
