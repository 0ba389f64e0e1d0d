package io.meridian.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/** The kept connections to one server, watched together. */
public final class Connections implements AutoCloseable {
    private final Selector selector;
    private final List<Exchange> exchanges = new ArrayList<>();

    private Connections(Selector selector) {
        this.selector = selector;
    }

    public static Connections open(InetSocketAddress target, int count) throws IOException {
        Connections connections = new Connections(Selector.open());
        for (int i = 0; i < count; i++) {
            connections.exchanges.add(Exchange.connect(target, connections.selector));
        }
        return connections;
    }

    List<Exchange> all() {
        return exchanges;
    }

    /** Waits for answers, at most so long; the number of connections on which something came. */
    int await(long atMostMillis, Answered answered) throws IOException {
        return selector.select(key -> receive(key, answered), atMostMillis);
    }

    /** Takes the answers that are there; the number of connections on which something came. */
    int poll(Answered answered) throws IOException {
        return selector.selectNow(key -> receive(key, answered));
    }

    private static void receive(SelectionKey key, Answered answered) {
        Exchange exchange = (Exchange) key.attachment();
        try {
            int status = exchange.receive();
            if (status != Response.INCOMPLETE) {
                answered.by(exchange, status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Exchange exchange : exchanges) {
            exchange.close();
        }
        selector.close();
    }

    /** Told of every whole answer. */
    interface Answered {
        void by(Exchange exchange, int status) throws IOException;
    }
}
