package io.meridian.config.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class FuzzTest {
    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @ParameterizedTest
    @ValueSource(longs = 1)
    void fuzzed_calls_never_make_it_fail(long defaultSeed) {
        long seed = Long.getLong("meridian.fuzz.seed", defaultSeed);
        String editor = Admin.token("editor");
        FuzzedCalls calls = new FuzzedCalls(new Random(seed), editor);
        int done = 0;
        for (int i = 0; i < 2_000; i++) {
            RawHttp.Answer answer = calls.next().send();
            done += answer.status() >= 200 && answer.status() < 300 ? 1 : 0;
            assertThat(answer.status())
                    .as("call %d of seed %d: %s → %s", i, seed, calls.last(), answer.text())
                    .isBetween(100, 499);
        }
        assertThat(done).as("calls that were near enough to be done").isGreaterThan(100);
    }
}
