package io.meridian.stack.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.RedisServer.RedisBinary;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose Redis is run. */
class RedisBinaryTest {
    private static final Optional<Path> INSTALLED = Optional.of(Path.of("bin", "redis-server"));
    private static final Map<String, String> BUNDLED = Map.of("MERIDIAN_REDIS", "bundled");

    @Test
    void the_machines_own_is_preferred_unless_the_bundled_one_is_asked_for() {
        assertThat(RedisBinary.own(RedisRelease.PREFERRED, INSTALLED, Map.of())).isEqualTo(INSTALLED);
        assertThat(RedisBinary.own(RedisRelease.PREFERRED, INSTALLED, BUNDLED)).isEmpty();
        assertThat(RedisBinary.own(RedisRelease.PREFERRED, Optional.empty(), Map.of()))
                .isEmpty();
    }

    @Test
    void a_test_of_one_release_gets_that_one_whatever_is_asked_for_elsewhere() {
        assertThat(RedisBinary.own(RedisRelease.BUNDLED, INSTALLED, Map.of())).isEmpty();
        assertThat(RedisBinary.own(RedisRelease.INSTALLED, INSTALLED, BUNDLED)).isEqualTo(INSTALLED);
        assertThatThrownBy(() -> RedisBinary.own(RedisRelease.INSTALLED, Optional.empty(), Map.of()))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("redis-server");
    }
}
