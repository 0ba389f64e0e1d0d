package io.meridian.stack.faults;

import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The live connections of one proxy with the toxics and the upstream in force. A connection is admitted and a chain changed
 * under one lock, so that none is missed by a change. At the bound a newcomer is reset.
 */
final class Roster {
    private final String proxyName;
    private final LinkSettings settings;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private ToxicChain chain = ToxicChain.NONE;
    private Endpoint upstream;
    private long admitted;

    Roster(String proxyName, Endpoint upstream, LinkSettings settings) {
        this.proxyName = proxyName;
        this.upstream = upstream;
        this.settings = settings;
    }

    synchronized void admit(Socket client) {
        if (links.size() >= settings.linksMax()) {
            Ending.RESET.end(client);
            return;
        }
        long number = admitted++;
        Chance chance = new Chance(settings.seed(), number);
        Link link = new Link(proxyName + "-" + number, client, upstream, chance, settings, links::remove);
        links.add(link);
        link.apply(chain);
        link.start();
    }

    synchronized ToxicChain change(UnaryOperator<ToxicChain> change) {
        chain = change.apply(chain);
        links.forEach(link -> link.apply(chain));
        return chain;
    }

    synchronized void redirect(Endpoint next) {
        upstream = next;
        endAll();
    }

    synchronized void endAll() {
        links.forEach(link -> link.end(Ending.CLOSE));
    }

    synchronized ToxicChain chain() {
        return chain;
    }

    synchronized Endpoint upstream() {
        return upstream;
    }

    int size() {
        return links.size();
    }
}
