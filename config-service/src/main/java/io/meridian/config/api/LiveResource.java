package io.meridian.config.api;

import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.live.LiveFeed;
import io.meridian.config.live.LiveFeed.LiveEvent;
import io.meridian.config.live.LiveFeed.LiveStream;
import io.meridian.service.http.Problem;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Multi;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jspecify.annotations.Nullable;

/**
 * The live view as server-sent events. A slow client misses intervals and no events: it takes them from the log when it can. A
 * stream ends after a while, and EventSource opens it again after the last event: so its token is checked again.
 */
@Path(EntriesResource.BASE + "live")
@Blocking
class LiveResource {
    private static final String LAST_EVENT_ID = "Last-Event-ID";
    private static final String EXAMPLE = """
            id: 2s8k1q-7
            event: change
            data: {"audit_id":93,"revision":41,"at":"2026-01-15T10:00:00Z","actor":"ann","action":"replaced","kind":"policy","entry_id":"api-default"}

            id: 2s8k1q-7
            event: regions
            data: {"at":"2026-01-15T10:00:00.5Z","regions":[{"region":"us-east","reporting":1,"checks_per_second":812.0,"denied_per_second":3.1,"degraded_per_second":0.0,"loop_delay_ms":{"p50":151.2,"p99":240.0,"max":251.3},"staleness_ms":212.0,"report_age_ms":480.1,"cut_off":null}],"leaders":[{"partition":0,"replica":"sync-1"}]}
            """;

    private final LiveFeed feed;

    LiveResource(LiveFeed feed) {
        this.feed = feed;
    }

    @GET
    @RequiresRole(AdminRole.VIEWER)
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @APIResponse(
            responseCode = "200",
            description = "Events regions, change, changes_omitted, denials, top_keys and missed; their data is JSON",
            content =
                    @Content(
                            mediaType = MediaType.SERVER_SENT_EVENTS,
                            schema = @Schema(type = SchemaType.STRING),
                            examples = @ExampleObject(name = "stream", value = EXAMPLE)))
    public Multi<OutboundSseEvent> live(
            @Context UriInfo uri, @Context Sse sse, @HeaderParam(LAST_EVENT_ID) @Nullable String header) {
        Query.of(uri);
        String lastEventId = header == null ? "" : header;
        boolean resumes = !lastEventId.isEmpty();
        if (resumes && !LiveFeed.isEventId(lastEventId)) {
            throw Query.refused(LAST_EVENT_ID, lastEventId, "must be the id of an event of this stream");
        }
        Optional<LiveStream> opened = resumes ? feed.resume(lastEventId) : feed.open();
        LiveStream stream = opened.orElseThrow(() -> Refusal.of(
                Problem.of(AdminErrorCode.BUSY, "at most " + feed.clientsMax() + " clients may watch at once"),
                Map.of(HttpHeaders.RETRY_AFTER, "5")));
        return Multi.createFrom()
                .ticks()
                .every(feed.interval())
                .onOverflow()
                .drop()
                .select()
                .first(tick -> !stream.isOver())
                .select()
                .first(feed.streamMax())
                .onItem()
                .transformToIterable(tick -> stream.next())
                .map(each -> event(sse, each))
                .onTermination()
                .invoke(stream::close);
    }

    private static OutboundSseEvent event(Sse sse, LiveEvent event) {
        return sse.newEventBuilder()
                .name(event.name())
                .id(event.id())
                .data(String.class, event.data())
                .build();
    }
}
