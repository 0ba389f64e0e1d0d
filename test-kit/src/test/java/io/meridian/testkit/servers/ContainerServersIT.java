package io.meridian.testkit.servers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.testcontainers.DockerClientFactory;

/** Runs in the profile "containers". Without a Docker engine every test is skipped, and the build log says so. */
class ContainerServersIT extends ServersContract {
    private static final String NO_ENGINE =
            "SKIPPED, not passed: no Docker engine answers, so the servers in containers" + " were not tested";

    @BeforeEach
    void an_engine_answers() {
        boolean answers = DockerClientFactory.instance().isDockerAvailable();
        if (!answers) {
            System.out.println(NO_ENGINE);
        }
        assumeTrue(answers, NO_ENGINE);
    }

    @Override
    TestServers servers() {
        return new ContainerServers();
    }
}
