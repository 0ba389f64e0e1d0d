package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.validation.ValidationException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationRecordTest {
    private static final OperationRecord REFUND = refund(List.of(
            new OperationRecord.Counter("api-default", "user_id=42", 6), new OperationRecord.Counter("global", "", 3)));

    private static OperationRecord refund(List<OperationRecord.Counter> limits) {
        return new OperationRecord(
                "f00-1",
                OperationRecord.Kind.REFUND,
                "billing-jobs",
                "eu-west",
                "r-1",
                1_700_000_000_000_000L,
                OperationRecord.Outcome.DEGRADED,
                3,
                "/api/v1/users",
                "GET",
                limits,
                limits.size());
    }

    @Test
    void what_is_written_is_read() {
        assertThat(OperationRecord.decode(REFUND.encode())).isEqualTo(REFUND);
    }

    @Test
    void the_first_version_stays_readable_and_more_fields_are_no_offence() {
        String text = """
                {"format":1,"id":"f00-1","kind":"refund","caller":"billing-jobs","region":"eu-west","request_id":"r-1",\
                "at_micros":1700000000000000,"outcome":"degraded","units":3,"endpoint":"/api/v1/users","method":"GET",\
                "limits_total":2,"limits":[{"policy":"api-default","key":"user_id=42","units":6},\
                {"policy":"global","key":"","units":3}]""";

        assertThat(REFUND.encode()).isEqualTo(text + "}");
        assertThat(OperationRecord.decode(text + ",\"later\":1}")).isEqualTo(REFUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"format\":2}",
                "{\"format\":1}",
                "{\"format\":1,\"id\":\"1\",\"kind\":\"steal\",\"caller\":\"a\",\"region\":\"b\",\"at_micros\":1,\"outcome\":\"done\",\"limits\":[]}",
                "{\"format\":1,\"id\":\"1\",\"kind\":\"reset\",\"caller\":\"a\\u0000\",\"region\":\"b\",\"at_micros\":1,\"outcome\":\"done\",\"limits\":[]}",
                "{\"format\":1,\"id\":\"1\",\"kind\":\"reset\",\"caller\":\"a\",\"region\":\"b\",\"at_micros\":1,\"outcome\":\"done\",\"limits\":[{\"policy\":\"p\",\"key\":\"\\ud800\"}]}",
                "{\"format\":1,\"id\":\"1\",\"kind\":\"reset\",\"caller\":\"a\",\"region\":\"b\",\"at_micros\":1,\"outcome\":\"done\",\"limits\":[],\"units\":-1}"
            })
    void what_cannot_be_read_says_so(String text) {
        assertThatThrownBy(() -> OperationRecord.decode(text)).isInstanceOf(WireException.class);
    }

    @Test
    void a_record_has_a_bound() {
        OperationRecord.Counter counter = new OperationRecord.Counter("p", "k", 0);
        refund(Collections.nCopies(OperationRecord.LIMITS_MAX, counter));

        assertThatThrownBy(() -> refund(Collections.nCopies(OperationRecord.LIMITS_MAX + 1, counter)))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("limits");
    }
}
