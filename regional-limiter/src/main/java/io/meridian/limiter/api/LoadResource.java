package io.meridian.limiter.api;

import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.http.ApiJson;
import io.meridian.limiter.http.BodyBytes;
import io.meridian.limiter.http.CheckJsonReader;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.limiter.region.Ports.LoadReport;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Resource of the region's load, as it is reported. */
@Path("/api/v1/load")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@Tag(name = "Load")
class LoadResource {
    private static final String FIELD = "load_percent";

    private final LoadReport load;
    private final CheckJsonReader bodies;

    LoadResource(LoadReport load, ApiConfig config) {
        this.load = load;
        this.bodies = new CheckJsonReader(config.checkBodyMax().asLongValue());
    }

    @PUT
    @Operation(summary = "Reports the load that adaptive limits scale with")
    @RequestBody(ref = "Load")
    @APIResponse(responseCode = "200", ref = "Load")
    @APIResponse(responseCode = "400", ref = "Malformed")
    @APIResponse(responseCode = "401", ref = "Unauthenticated")
    @APIResponse(responseCode = "403", ref = "Forbidden")
    @APIResponse(responseCode = "422", ref = "Invalid")
    public HttpAnswer report(BodyBytes body) {
        int percent = Math.toIntExact(bodies.number(body.bytes(), FIELD, 0, 100));
        load.report(percent);
        return HttpAnswer.json(200, ApiJson.write(json -> {
            json.writeStartObject();
            json.writeNumberField(FIELD, percent);
            json.writeEndObject();
        }));
    }
}
