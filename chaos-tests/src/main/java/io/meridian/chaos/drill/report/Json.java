package io.meridian.chaos.drill.report;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.meridian.chaos.drill.history.InjectedFault;

/** How the files of a report are written and read: snake_case, unknown fields passed over. */
final class Json {
    static final ObjectMapper LINES = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .addMixIn(InjectedFault.class, FaultTypes.class)
            .build();

    static final ObjectMapper PRETTY = LINES.copy().enable(SerializationFeature.INDENT_OUTPUT);

    private Json() {}

    /** The field {@code of} tells what a fault was done to. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "of")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = InjectedFault.OfLink.class, name = "link"),
        @JsonSubTypes.Type(value = InjectedFault.OfPart.class, name = "part")
    })
    private interface FaultTypes {}
}
