package io.meridian.config.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ServiceTest
class FuzzTest {
    private static final int CALLS = TestAmounts.of(250, 2_500);

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @Test
    void fuzzed_calls_never_make_it_fail() {
        long seed = TestSeeds.first();
        String editor = Admin.token("editor");
        FuzzedCalls calls = new FuzzedCalls(new Random(seed), editor);
        int done = 0;
        for (int i = 0; i < CALLS; i++) {
            RawHttp.Answer answer = calls.next().send();
            done += answer.status() >= 200 && answer.status() < 300 ? 1 : 0;
            assertThat(answer.status())
                    .as("call %d of -Dmeridian.seed=%d: %s → %s", i, seed, calls.last(), answer.text())
                    .isBetween(100, 499);
        }
        assertThat(done).as("calls that were near enough to be done").isGreaterThan(CALLS / 50);
    }
}
