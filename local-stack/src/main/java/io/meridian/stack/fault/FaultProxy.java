package io.meridian.stack.fault;

/** Placeholder. */
public final class FaultProxy {
    private final String name;
    private final int listenPort;

    FaultProxy(String name, int listenPort) {
        this.name = name;
        this.listenPort = listenPort;
    }

    public String name() {
        return name;
    }

    public int listenPort() {
        return listenPort;
    }
}
