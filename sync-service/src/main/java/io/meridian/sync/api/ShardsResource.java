package io.meridian.sync.api;

import io.meridian.sync.SyncConfig;
import io.meridian.sync.SyncReplica;
import io.meridian.sync.regions.RegionStats;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Partitions and their leaders, as any replica knows them. */
@Path("/api/v1/shards")
@Produces(MediaType.APPLICATION_JSON)
class ShardsResource {
    private final SyncConfig config;
    private final SyncReplica replica;
    private final RegionStats regions;

    ShardsResource(SyncConfig config, SyncReplica replica, RegionStats regions) {
        this.config = config;
        this.replica = replica;
        this.regions = regions;
    }

    @GET
    @Operation(
            operationId = "shards",
            summary = "Per partition its leader, epoch and lag; per region its clock skew and loop delay")
    public ShardsAnswer get() {
        return ShardsAnswer.of(config.replica(), replica.status(), regions.status());
    }
}
