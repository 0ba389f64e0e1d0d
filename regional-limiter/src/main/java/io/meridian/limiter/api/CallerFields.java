package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.meridian.limiter.caller.Caller;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Members of an answer that say who its caller is taken for: provenance of identity beside that of the decision. */
final class CallerFields {
    /** In the order in which they name a client. */
    private static final List<String> ATTRIBUTES = List.of("api_key", "user_id", "ip");

    private CallerFields() {}

    /** By what each attribute of the caller is known: {@code "identity": {"user_id": "jwt", "ip": "peer"}}. */
    static void write(JsonGenerator json, Caller caller) throws IOException {
        json.writeObjectFieldStart("identity");
        for (String attribute : ATTRIBUTES) {
            Caller.Source source = caller.source(attribute);
            if (source != null) {
                json.writeStringField(attribute, source.toString());
            }
        }
        json.writeEndObject();
    }

    static void writeClient(JsonGenerator json, Caller caller, Optional<String> tier) throws IOException {
        json.writeStringField("client_id", caller.clientId());
        json.writeStringField("tier", tier.orElse(null));
    }
}
