package io.meridian.stack.faults;

import io.meridian.stack.faults.FaultProxies.ConnectionSettings;
import io.meridian.stack.faults.LinkConditions.Chance;
import io.meridian.stack.faults.Toxic.ToxicChain;
import io.meridian.stack.faults.ToxicEffect.CloseKind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP proxy for one link. Enabled, it carries connections through its toxics; disabled, it refuses new ones and has cut
 * the old. Changes take effect on living connections before the call returns.
 */
public final class FaultProxy {
    private final String name;
    private final ConnectionSet connections;
    private final EventLoop loop;
    private ProxyListener listener;

    FaultProxy(String name, Endpoint listen, Endpoint upstream, ConnectionSettings settings) throws IOException {
        this.name = Toxic.requireLabel("name", name);
        this.loop = settings.loop();
        this.connections = new ConnectionSet(name, upstream.requirePort("upstream"), settings);
        this.listener = new ProxyListener(name, listen.requireLoopback(), settings.loop(), connections::admit);
    }

    public String name() {
        return name;
    }

    public synchronized int listenPort() {
        return listener.address().getPort();
    }

    public synchronized boolean enabled() {
        return listener.isOpen();
    }

    /** Listens again, on the same port. */
    public synchronized void enable() throws IOException {
        listener.open();
    }

    /** Refuses new connections and cuts the living ones. */
    public synchronized void disable() {
        listener.shut();
        connections.endAll();
    }

    public List<Toxic> toxics() {
        return connections.chain().toxics();
    }

    public Optional<Toxic> toxic(String toxicName) {
        return connections.chain().find(toxicName);
    }

    public void add(Toxic toxic) {
        connections.change(chain -> chain.with(toxic));
    }

    /** Exchanges a toxic for what is made of it, with no other change in between; a swallowing one starts its timeout anew. */
    Toxic revise(String toxicName, UnaryOperator<Toxic> revision) {
        return connections
                .change(chain -> chain.replacing(revision.apply(chain.require(toxicName))))
                .require(toxicName);
    }

    /** Removes a toxic; connections that lost bytes to it are ended. */
    public void remove(String toxicName) {
        connections.change(chain -> chain.without(toxicName));
    }

    public void removeToxics() {
        connections.change(chain -> ToxicChain.NONE);
    }

    /** The connections alive now. */
    public int connections() {
        return connections.size();
    }

    synchronized Endpoint listen() {
        InetSocketAddress address = listener.address();
        return new Endpoint(address.getAddress().getHostAddress(), address.getPort());
    }

    Endpoint upstream() {
        return connections.upstream();
    }

    /** Brings the proxy to the settings; another address cuts the living connections, a failure leaves all as it was. */
    synchronized void settle(Endpoint listen, Endpoint upstream, boolean enabled) throws IOException {
        upstream.requirePort("upstream");
        InetSocketAddress wanted = listen.requireLoopback();
        boolean moved = !wanted.equals(listener.address());
        if (moved) {
            moveTo(wanted, enabled);
        } else if (enabled) {
            enable();
        } else {
            disable();
        }
        if (moved || !upstream.equals(connections.upstream())) {
            connections.redirect(upstream);
        }
    }

    private void moveTo(InetSocketAddress wanted, boolean open) throws IOException {
        ProxyListener next = new ProxyListener(name, wanted, loop, connections::admit);
        try {
            if (open) {
                next.open();
            }
        } catch (IOException failed) {
            next.close();
            throw failed;
        }
        listener.close();
        listener = next;
    }

    synchronized void close() {
        listener.close();
        connections.endAll();
    }

    /**
     * Live connections of one proxy with the toxics and the upstream in force. They change on the event loop alone, so that no connection is
     * missed by a change. At the bound a new connection is reset.
     */
    private static final class ConnectionSet {
        private static final Logger LOG = LoggerFactory.getLogger(ConnectionSet.class);

        private final String proxyName;
        private final ConnectionSettings settings;
        private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
        private volatile ToxicChain chain = ToxicChain.NONE;
        private volatile Endpoint upstream;
        private long admitted;

        ConnectionSet(String proxyName, Endpoint upstream, ConnectionSettings settings) {
            this.proxyName = proxyName;
            this.upstream = upstream;
            this.settings = settings;
        }

        void admit(SocketChannel client) {
            if (open.size() >= settings.linksMax()) {
                CloseKind.RESET.end(client);
                return;
            }
            long number = admitted++;
            Chance chance = new Chance(settings.seed(), number);
            try {
                ProxiedConnection connection =
                        new ProxiedConnection(proxyName + "-" + number, client, chance, settings, open::remove);
                open.add(connection);
                connection.apply(chain);
                connection.start(upstream);
            } catch (IOException failed) {
                LOG.warn("proxy {} has no socket for a connection: {}", proxyName, failed.toString());
                CloseKind.CLOSE.end(client);
            }
        }

        ToxicChain change(UnaryOperator<ToxicChain> change) {
            return settings.loop().get(() -> {
                ToxicChain next = change.apply(chain);
                chain = next;
                open.forEach(connection -> connection.apply(next));
                return next;
            });
        }

        void redirect(Endpoint next) {
            Endpoint unused = settings.loop().get(() -> {
                upstream = next;
                endAllNow();
                return next;
            });
        }

        void endAll() {
            boolean unused = settings.loop().get(() -> {
                endAllNow();
                return true;
            });
        }

        private void endAllNow() {
            open.forEach(connection -> connection.end(CloseKind.CLOSE));
        }

        ToxicChain chain() {
            return chain;
        }

        Endpoint upstream() {
            return upstream;
        }

        int size() {
            return open.size();
        }
    }
}
