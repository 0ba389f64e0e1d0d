package io.meridian.stack.faults;

import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fault proxies of one stack and the HTTP API that steers them. At most {@link #PROXIES_MAX} proxies of at most {@link
 * #LINKS_MAX} connections each; a further proxy is refused, a further connection reset.
 */
public final class FaultProxies implements AutoCloseable {
    static final int PROXIES_MAX = 256;
    static final int LINKS_MAX = 1024;

    static final String THREAD_PREFIX = "fault-";

    private static final long DEFAULT_SEED = 1;

    private final Map<String, FaultProxy> proxies = new LinkedHashMap<>();
    private final EventLoop loop;
    private final ConnectionSettings settings;
    private final FaultApi api;
    private boolean closed;

    private FaultProxies(int apiPort, long seed, int linksMax, ExtraRoutes further) throws IOException {
        loop = EventLoop.start(TimeSource.system());
        settings = new ConnectionSettings(loop, seed, linksMax);
        try {
            api = FaultApi.start(apiPort, new FaultRoutes(this, further));
        } catch (IOException failed) {
            loop.close();
            throw failed;
        }
    }

    /** Starts with no proxies and the HTTP API on 127.0.0.1, at a free port for 0. */
    public static FaultProxies start(int apiPort) throws IOException {
        return start(apiPort, DEFAULT_SEED, LINKS_MAX);
    }

    /** Starts with more routes at the same API. */
    public static FaultProxies start(int apiPort, ExtraRoutes further) throws IOException {
        return new FaultProxies(apiPort, DEFAULT_SEED, LINKS_MAX, further);
    }

    /** Starts with the seed that jitter and toxicity are drawn from. */
    static FaultProxies start(int apiPort, long seed, int linksMax) throws IOException {
        return new FaultProxies(apiPort, seed, linksMax, ExtraRoutes.NONE);
    }

    public int apiPort() {
        return api.port();
    }

    /** Adds an enabled proxy; a listen port of 0 takes a free one. */
    public FaultProxy add(String name, InetSocketAddress listen, InetSocketAddress upstream) throws IOException {
        return add(name, Endpoint.of(listen), Endpoint.of(upstream), true);
    }

    synchronized FaultProxy add(String name, Endpoint listen, Endpoint upstream, boolean enabled) throws IOException {
        if (closed) {
            throw new IllegalStateException("fault proxies are closed, cannot add " + name);
        }
        if (proxies.containsKey(name)) {
            throw FaultRefusal.taken("proxy", name);
        }
        if (proxies.size() >= PROXIES_MAX) {
            throw FaultRefusal.full("proxies", PROXIES_MAX);
        }
        FaultProxy proxy = new FaultProxy(name, listen, upstream, settings);
        try {
            proxy.settle(proxy.listen(), upstream, enabled);
        } catch (IOException failed) {
            proxy.close();
            throw failed;
        }
        proxies.put(name, proxy);
        return proxy;
    }

    public synchronized Optional<FaultProxy> find(String name) {
        return Optional.ofNullable(proxies.get(name));
    }

    public synchronized List<FaultProxy> all() {
        return List.copyOf(proxies.values());
    }

    public synchronized void remove(String name) {
        require(name).close();
        proxies.remove(name);
    }

    /** Heals every link: removes all toxics and enables all proxies, those too that come after one that cannot be. */
    public void reset() throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (FaultProxy proxy : all()) {
            proxy.removeToxics();
            try {
                proxy.enable();
            } catch (IOException failed) {
                failures.add(failed);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    FaultProxy require(String name) {
        return find(name).orElseThrow(() -> FaultRefusal.missing("proxy", name));
    }

    /** Stops the API, then cuts every connection and gives up every port. */
    @Override
    public void close() {
        api.close();
        synchronized (this) {
            closed = true;
            for (FaultProxy proxy : proxies.values()) {
                proxy.close();
            }
            proxies.clear();
        }
        loop.close();
    }

    /** Settings that the connections of every proxy share. */
    record ConnectionSettings(EventLoop loop, long seed, int linksMax) {
        ConnectionSettings {
            if (linksMax < 1) {
                throw new IllegalArgumentException("linksMax must be positive, got " + linksMax);
            }
        }
    }
}
