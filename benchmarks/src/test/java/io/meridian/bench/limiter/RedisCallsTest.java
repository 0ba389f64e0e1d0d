package io.meridian.bench.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.bench.limiter.MeasuredServers.RedisCalls;
import org.junit.jupiter.api.Test;

class RedisCallsTest {
    @Test
    void calls_of_scripts_are_told_from_what_the_scripts_ran() {
        RedisCalls calls = RedisCalls.parse("""
                # Commandstats
                cmdstat_hget:calls=40,usec=9,usec_per_call=1.50,rejected_calls=0,failed_calls=0
                cmdstat_evalsha:calls=12,usec=20,usec_per_call=20.00,rejected_calls=3,failed_calls=0
                cmdstat_eval:calls=1,usec=20,usec_per_call=20.00,rejected_calls=0,failed_calls=0
                """);

        assertThat(calls).isEqualTo(new RedisCalls(13));
    }
}
