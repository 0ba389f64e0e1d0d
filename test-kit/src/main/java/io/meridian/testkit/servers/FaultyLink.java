package io.meridian.testkit.servers;

import io.meridian.stack.faults.FaultProxies;
import io.meridian.stack.faults.FaultProxy;
import io.meridian.stack.faults.Toxic;
import io.meridian.stack.faults.Toxic.Direction;
import io.meridian.stack.faults.ToxicEffect;
import io.meridian.stack.process.Loopback;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The link between a test's clients and one of its servers, which the test may spoil in one way at a time, and heal. */
public final class FaultyLink implements AutoCloseable {
    private final FaultProxies proxies;
    private final FaultProxy proxy;

    private FaultyLink(FaultProxies proxies, FaultProxy proxy) {
        this.proxies = proxies;
        this.proxy = proxy;
    }

    /** A sound link from {@link #port()} to the server at this port. */
    static FaultyLink to(String name, int listenPort, int serverPort) {
        try {
            FaultProxies proxies = FaultProxies.start(0);
            try {
                return new FaultyLink(proxies, proxies.add(name, Loopback.at(listenPort), Loopback.at(serverPort)));
            } catch (IOException | RuntimeException failed) {
                proxies.close();
                throw failed;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return proxy.listenPort();
    }

    /** How many connections go through it now. */
    public int connections() {
        return proxy.connections();
    }

    /** Every answer comes later by this much, on living connections too. */
    public void slow(Duration latency) {
        proxy.removeToxics();
        proxy.add(Toxic.everywhere(Direction.DOWNSTREAM, new ToxicEffect.Latency(latency.toMillis(), 0)));
    }

    /** Ends the living connections and refuses new ones: the server's host says no. */
    public void cut() {
        proxy.disable();
    }

    /** Swallows every byte and ends nothing: the server's host says nothing. */
    public void silence() {
        proxy.removeToxics();
        proxy.add(Toxic.everywhere(Direction.UPSTREAM, new ToxicEffect.Timeout(0)));
        proxy.add(Toxic.everywhere(Direction.DOWNSTREAM, new ToxicEffect.Timeout(0)));
    }

    /** Makes it sound again; connections that lost bytes are ended. */
    public void heal() {
        try {
            proxies.reset();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        proxies.close();
    }
}
