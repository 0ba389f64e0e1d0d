package io.meridian.drill.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.drill.definition.Activity.Tolerance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToleranceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true|true|true",
                "true|false|false",
                "0|0|true",
                "0|{\"status\": 0, \"stdout\": \"x\"}|true",
                "200|{\"status\": 503}|false",
                "[200, 204]|{\"status\": 204}|true",
                "{\"type\": \"range\", \"range\": [0, 300]}|300.0|true",
                "{\"type\": \"range\", \"range\": [0, 300]}|301|false",
                "{\"type\": \"range\", \"range\": [0, 300]}|\"NaN\"|false",
                "{\"type\": \"regex\", \"pattern\": \"o+k\"}|{\"status\": 0, \"stdout\": \"all ok\"}|true"
            })
    void a_tolerance_says_what_may_be_found(String tolerance, String found, boolean accepted) throws Exception {
        ObjectMapper json = new ObjectMapper();

        assertThat(new Tolerance(json.readTree(tolerance)).accepts(json.readTree(found)))
                .isEqualTo(accepted);
    }
}
