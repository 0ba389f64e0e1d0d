package io.meridian.stack.faults;

import io.meridian.stack.faults.Fault.CloseKind;
import io.meridian.stack.faults.FaultProxies.ConnectionSettings;
import io.meridian.stack.faults.LinkConditions.Chance;
import io.meridian.stack.faults.Toxic.ToxicChain;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * A TCP proxy for one link. Enabled, it carries connections through its toxics; disabled, it refuses new ones and has cut
 * the old. Changes take effect on living connections before the call returns.
 */
public final class FaultProxy {
    private final String name;
    private final ConnectionSet connections;
    private ProxyListener listener;

    FaultProxy(String name, Endpoint listen, Endpoint upstream, ConnectionSettings settings) throws IOException {
        this.name = Toxic.requireLabel("name", name);
        this.connections = new ConnectionSet(name, upstream.requirePort("upstream"), settings);
        this.listener = new ProxyListener(name, listen.requireLoopback(), connections::admit);
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
        ProxyListener next = new ProxyListener(name, wanted, connections::admit);
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
     * The live connections of one proxy with the toxics and the upstream in force. A connection is admitted and a chain changed
     * under one lock, so that none is missed by a change. At the bound a newcomer is reset.
     */
    static final class ConnectionSet {
        private final String proxyName;
        private final ConnectionSettings settings;
        private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
        private ToxicChain chain = ToxicChain.NONE;
        private Endpoint upstream;
        private long admitted;

        ConnectionSet(String proxyName, Endpoint upstream, ConnectionSettings settings) {
            this.proxyName = proxyName;
            this.upstream = upstream;
            this.settings = settings;
        }

        synchronized void admit(Socket client) {
            if (open.size() >= settings.linksMax()) {
                CloseKind.RESET.end(client);
                return;
            }
            long number = admitted++;
            Chance chance = new Chance(settings.seed(), number);
            ProxiedConnection link =
                    new ProxiedConnection(proxyName + "-" + number, client, upstream, chance, settings, open::remove);
            open.add(link);
            link.apply(chain);
            link.start();
        }

        synchronized ToxicChain change(UnaryOperator<ToxicChain> change) {
            chain = change.apply(chain);
            open.forEach(link -> link.apply(chain));
            return chain;
        }

        synchronized void redirect(Endpoint next) {
            upstream = next;
            endAll();
        }

        synchronized void endAll() {
            open.forEach(link -> link.end(CloseKind.CLOSE));
        }

        synchronized ToxicChain chain() {
            return chain;
        }

        synchronized Endpoint upstream() {
            return upstream;
        }

        int size() {
            return open.size();
        }
    }
}
