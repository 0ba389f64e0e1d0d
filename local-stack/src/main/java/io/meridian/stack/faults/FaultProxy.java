package io.meridian.stack.faults;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A TCP proxy for one link. Enabled, it carries connections through its toxics; disabled, it refuses new ones and has cut
 * the old. Changes take effect on living connections before the call returns.
 */
public final class FaultProxy {
    private final String name;
    private final Roster roster;
    private Doorway doorway;

    FaultProxy(String name, Endpoint listen, Endpoint upstream, LinkSettings settings) throws IOException {
        this.name = Labels.require("name", name);
        this.roster = new Roster(name, upstream.requirePort("upstream"), settings);
        this.doorway = new Doorway(name, listen.requireLoopback(), roster::admit);
    }

    public String name() {
        return name;
    }

    public synchronized int listenPort() {
        return doorway.address().getPort();
    }

    public synchronized boolean enabled() {
        return doorway.isOpen();
    }

    /** Listens again, on the same port. */
    public synchronized void enable() throws IOException {
        doorway.open();
    }

    /** Refuses new connections and cuts the living ones. */
    public synchronized void disable() {
        doorway.shut();
        roster.endAll();
    }

    public List<Toxic> toxics() {
        return roster.chain().toxics();
    }

    public Optional<Toxic> toxic(String toxicName) {
        return roster.chain().find(toxicName);
    }

    public void add(Toxic toxic) {
        roster.change(chain -> chain.with(toxic));
    }

    /** Exchanges a toxic for what is made of it, with no other change in between; a swallowing one starts its timeout anew. */
    Toxic revise(String toxicName, UnaryOperator<Toxic> revision) {
        return roster.change(chain -> chain.replacing(revision.apply(chain.require(toxicName))))
                .require(toxicName);
    }

    /** Removes a toxic; connections that lost bytes to it are ended. */
    public void remove(String toxicName) {
        roster.change(chain -> chain.without(toxicName));
    }

    public void removeToxics() {
        roster.change(chain -> ToxicChain.NONE);
    }

    /** The connections alive now. */
    public int connections() {
        return roster.size();
    }

    synchronized Endpoint listen() {
        InetSocketAddress address = doorway.address();
        return new Endpoint(address.getAddress().getHostAddress(), address.getPort());
    }

    Endpoint upstream() {
        return roster.upstream();
    }

    /** Brings the proxy to the settings; another address cuts the living connections, a failure leaves all as it was. */
    synchronized void settle(Endpoint listen, Endpoint upstream, boolean enabled) throws IOException {
        upstream.requirePort("upstream");
        InetSocketAddress wanted = listen.requireLoopback();
        boolean moved = !wanted.equals(doorway.address());
        if (moved) {
            moveTo(wanted, enabled);
        } else if (enabled) {
            enable();
        } else {
            disable();
        }
        if (moved || !upstream.equals(roster.upstream())) {
            roster.redirect(upstream);
        }
    }

    private void moveTo(InetSocketAddress wanted, boolean open) throws IOException {
        Doorway next = new Doorway(name, wanted, roster::admit);
        try {
            if (open) {
                next.open();
            }
        } catch (IOException failed) {
            next.close();
            throw failed;
        }
        doorway.close();
        doorway = next;
    }

    synchronized void close() {
        doorway.close();
        roster.endAll();
    }
}
