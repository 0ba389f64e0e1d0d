package io.meridian.testkit.servers;

class ProcessServersTest extends ServersContract {
    @Override
    TestServers servers() {
        return new ProcessServers();
    }
}
