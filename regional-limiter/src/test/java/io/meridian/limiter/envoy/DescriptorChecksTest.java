package io.meridian.limiter.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.UInt64Value;
import io.meridian.limiter.envoy.v3.RateLimitDescriptor;
import io.meridian.limiter.envoy.v3.RateLimitDescriptor.Entry;
import io.meridian.limiter.envoy.v3.RateLimitRequest;
import io.meridian.limiter.envoy.v3.RateLimitResponse.RateLimit.Unit;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Check;
import io.meridian.model.validation.ValidationException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorChecksTest {
    private static RateLimitDescriptor.Builder descriptor(String... keysAndValues) {
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            descriptor.addEntries(Entry.newBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]));
        }
        return descriptor;
    }

    private static RateLimitRequest.Builder request(RateLimitDescriptor.Builder... descriptors) {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
        for (RateLimitDescriptor.Builder each : descriptors) {
            request.addDescriptors(each);
        }
        return request;
    }

    private static Check only(RateLimitRequest.Builder request) {
        List<Check> checks = DescriptorChecks.of(request.build());
        assertThat(checks).hasSize(1);
        return checks.get(0);
    }

    private static List<String> errors(RateLimitRequest.Builder request) {
        ValidationException invalid =
                catchThrowableOfType(ValidationException.class, () -> DescriptorChecks.of(request.build()));
        assertThat(invalid).as("the refusal").isNotNull();
        return invalid.errors().stream().map(Object::toString).toList();
    }

    @Test
    void entries_are_the_parts_of_a_check() {
        Check check = only(request(descriptor(
                "user_id",
                "42",
                "api_key",
                "k-1",
                "tenant",
                "acme",
                "remote_address",
                "203.0.113.9",
                "path",
                "/api/v1/users?page=2",
                "method",
                "get",
                "header:X-Plan",
                "beta",
                "generic_key",
                "checkout")));

        assertThat(check.attributes())
                .isEqualTo(Map.of(
                        "domain",
                        "shop",
                        "user_id",
                        "42",
                        "api_key",
                        "k-1",
                        "tenant",
                        "acme",
                        "ip",
                        "203.0.113.9",
                        "generic_key",
                        "checkout"));
        assertThat(check.segments()).containsExactly("api", "v1", "users");
        assertThat(check.method()).isEqualTo("GET");
        assertThat(check.headers()).isEqualTo(Map.of("x-plan", "beta"));
        assertThat(check.cost()).isEqualTo(1);
    }

    @Test
    void each_descriptor_is_a_check_with_a_cost_of_its_own() {
        List<Check> checks = DescriptorChecks.of(request(
                        descriptor("user_id", "1"),
                        descriptor("user_id", "2").setHitsAddend(UInt64Value.of(7)),
                        descriptor("user_id", "3").setHitsAddend(UInt64Value.of(0)))
                .setHitsAddend(3)
                .build());

        assertThat(checks).extracting(Check::cost).containsExactly(3L, 7L, 0L);
        assertThat(checks)
                .extracting(check -> check.attributes().get("user_id"))
                .containsExactly("1", "2", "3");
    }

    @Test
    void every_broken_field_is_named_with_its_value() {
        assertThat(errors(RateLimitRequest.newBuilder()))
                .containsExactly(
                        "domain must have 1 to 512 characters and no control characters, got ",
                        "descriptors must have 1 to 100 elements, got 0");
        assertThat(errors(request(descriptor())))
                .containsExactly("descriptors[0].entries must have 1 to 32 elements, got 0");
        assertThat(errors(request(descriptor("user_id", "1"), descriptor("user_id", ""))))
                .containsExactly("descriptors[1].entries.user_id must have 1 to 512 characters, got ");
        assertThat(errors(request(descriptor("remote_address", "here"))).get(0))
                .startsWith("descriptors[0].entries.remote_address ")
                .endsWith(", got here");
        assertThat(errors(request(descriptor("ip", "here"))).get(0)).startsWith("descriptors[0].entries.ip ");
        assertThat(errors(request(descriptor("path", "/" + "x".repeat(3_000)))).get(0))
                .startsWith("descriptors[0].entries.path must have at most 2048 characters, got /xxx");
        assertThat(errors(request(descriptor("header:x-plan", "a\nb"))).get(0))
                .startsWith("descriptors[0].entries.header:x-plan ");
        assertThat(errors(request(descriptor("", "v")))).hasSize(1);
        assertThat(errors(request(descriptor("user_id", "1").setHitsAddend(UInt64Value.of(-1)))))
                .containsExactly("descriptors[0].hits_addend must be from 0 to 1000000000, got 18446744073709551615");
        assertThat(errors(request(descriptor("user_id", "1")).setHitsAddend(-1)))
                .containsExactly("hits_addend must be from 0 to 1000000000, got 4294967295");
    }

    @ParameterizedTest
    @CsvSource({
        "user_id, user_id",
        "ip, remote_address",
        "path, path",
        "method, method",
        "header:a, header:a",
        "a, domain"
    })
    void what_is_said_twice_is_refused(String first, String second) {
        String other = second.equals("domain") ? "other" : "192.0.2.1";
        assertThat(errors(request(descriptor(first, "192.0.2.1", second, other))))
                .containsExactly(
                        "descriptors[0].entries[1].key must not say twice what the check has once, got " + second);
    }

    @Test
    void the_largest_request_is_taken_and_a_larger_one_refused() {
        RateLimitDescriptor.Builder most = descriptor();
        for (int i = 0; i < DescriptorChecks.ENTRIES_MAX; i++) {
            most.addEntries(Entry.newBuilder().setKey("k" + i).setValue("v"));
        }
        RateLimitRequest.Builder largest = request();
        for (int i = 0; i < DescriptorChecks.DESCRIPTORS_MAX; i++) {
            largest.addDescriptors(most);
        }

        assertThat(DescriptorChecks.of(largest.build())).hasSize(DescriptorChecks.DESCRIPTORS_MAX);
        assertThat(errors(largest.clone().addDescriptors(most)))
                .containsExactly("descriptors must have 1 to 100 elements, got 101");
        assertThat(errors(request(
                        most.clone().addEntries(Entry.newBuilder().setKey("k").setValue("v")))))
                .containsExactly("descriptors[0].entries must have 1 to 32 elements, got 33");
    }

    @ParameterizedTest
    @CsvSource({
        "1s, SECOND",
        "60s, MINUTE",
        "1m, MINUTE",
        "1h, HOUR",
        "1d, DAY",
        "7d, WEEK",
        "month, MONTH",
        "90s, UNKNOWN",
        "31d, UNKNOWN"
    })
    void a_window_has_the_unit_of_its_length_or_none(String window, Unit unit) {
        assertThat(RateLimitResponses.unit(Window.parse(window))).isEqualTo(unit);
    }

    @ParameterizedTest
    @CsvSource({
        "20m, 20000000",
        "1S, 1000000000",
        "0n, 0",
        "99999999H, 9223372036854775807",
        "5u, 5000",
        "2M, 120000000000"
    })
    void a_timeout_is_digits_and_a_unit(String text, long nanos) {
        assertThat(RateLimitCall.GrpcTimeout.nanos(text)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @CsvSource({"m", "20", "-1S", "123456789S", "1 S", "''", "1s"})
    void any_other_text_is_no_timeout(String text) {
        assertThat(RateLimitCall.GrpcTimeout.nanos(text)).isNegative();
    }
}
