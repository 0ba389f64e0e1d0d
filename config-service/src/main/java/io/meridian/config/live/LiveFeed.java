package io.meridian.config.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.config.live.ChangeFeed.TopKeys;
import io.meridian.config.live.LiveLog.Logged;
import io.meridian.config.live.LiveLog.Position;
import io.meridian.config.regions.LimiterDirectory;
import io.meridian.config.regions.RegionActivity;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.ViolationRecord;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Live view of all regions, shared by its clients. The clients drive it: the first that asks in an interval has the state computed
 * for all, so the cost without a client is none. Clients hold no queue: each has a position in the log and takes what follows it.
 */
@Singleton
public class LiveFeed {
    /** The most logged events that a client takes at once; the others follow in the next intervals. */
    static final int EVENTS_MAX = 50;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** How long a client that lost its connection finds all that happened when it comes back, if there is no other. */
    private static final long WATCHED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LiveConfig config;
    private final LimiterDirectory limiters;
    private final TimeSource time;
    private final RegionActivity activity;
    private final LiveLog log;
    private final DenialSummary denials = new DenialSummary();
    private int clients;
    private long watchedNanos;
    private boolean everWatched;
    private long computedNanos;
    private String regions = "";
    private String topKeys = "";
    private long topKeysVersion;
    private volatile boolean stopped;

    LiveFeed(LiveConfig config, LimiterDirectory limiters, TimeSource time) {
        this.config = config;
        this.limiters = limiters;
        this.time = time;
        this.activity = new RegionActivity(config.silentAfter(), config.leaderSilentAfter());
        this.log = new LiveLog(
                Long.toString(time.wallMicros(), Character.MAX_RADIX)
                        + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX),
                config.logMax());
    }

    /** Event of a stream: a name, the position after it, and JSON. */
    public record LiveEvent(String name, String id, String data) {}

    public int clientsMax() {
        return config.clientsMax();
    }

    public Duration interval() {
        return config.interval();
    }

    public Duration streamMax() {
        return config.streamMax();
    }

    /** Opens a stream from the end of the log; empty if there are too many. */
    public Optional<LiveStream> open() {
        return opened().map(end -> new LiveStream(this, end));
    }

    /** Opens a stream after the last event that the client received; empty if there are too many. */
    public Optional<LiveStream> resume(String lastEventId) {
        Position after = Position.parse(lastEventId).orElseThrow();
        return opened().map(end -> new LiveStream(this, after));
    }

    /** Whether a text has the form of an event's id. */
    public static boolean isEventId(String text) {
        return Position.parse(text).isPresent();
    }

    private synchronized Optional<Position> opened() {
        if (clients >= config.clientsMax()) {
            return Optional.empty();
        }
        boolean first = !isWatched();
        clients++;
        watched();
        if (first) {
            // Events from before the first watcher are old.
            var unused = denials.drain();
        }
        return Optional.of(log.end());
    }

    private synchronized void closed() {
        clients--;
        watched();
    }

    private void watched() {
        everWatched = true;
        watchedNanos = time.monotonicNanos();
    }

    /** Whether there is a client, or was one lately. */
    synchronized boolean isWatched() {
        return clients > 0 || (everWatched && time.monotonicNanos() - watchedNanos < WATCHED_NANOS);
    }

    synchronized int clients() {
        return clients;
    }

    void denied(ViolationRecord record) {
        denials.add(record);
    }

    /** Adds what happened to the log. */
    void append(String name, Object data) {
        log.append(name, json(data));
    }

    synchronized void topKeys(TopKeys keys) {
        topKeys = json(keys);
        topKeysVersion++;
    }

    private synchronized void refresh() {
        long nowNanos = time.monotonicNanos();
        // Ticks of clients are not aligned: half an interval serves them all.
        if (!regions.isEmpty() && nowNanos - computedNanos < config.interval().toNanos() / 2) {
            return;
        }
        computedNanos = nowNanos;
        regions = json(activity.observe(limiters.all(), time.wallMicros()));
        denials.drain().ifPresent(each -> append("denials", each));
    }

    private static String json(Object data) {
        try {
            return MAPPER.writeValueAsString(data);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void stop(@Observes ShutdownEvent stopping) {
        stopped = true;
    }

    /** Stream of one client. */
    public static final class LiveStream {
        private final LiveFeed feed;
        private Position position;
        private long topKeysSent;
        private boolean ended;

        private LiveStream(LiveFeed feed, Position position) {
            this.feed = feed;
            this.position = position;
        }

        /** Whether the service stops. */
        public boolean isOver() {
            return feed.stopped;
        }

        /** The events of one interval; to be called once in an interval. */
        public synchronized List<LiveEvent> next() {
            feed.refresh();
            List<LiveEvent> events = new ArrayList<>();
            LiveLog.Page page = feed.log.after(position, EVENTS_MAX);
            if (page.missed()) {
                events.add(event("missed", "{\"reason\":\"events since " + position + " are no longer kept here\"}"));
            }
            for (Logged each : page.events()) {
                position = new Position(page.next().process(), each.number());
                events.add(event(each.name(), each.data()));
            }
            position = page.next();
            synchronized (feed) {
                events.add(event("regions", feed.regions));
                if (topKeysSent != feed.topKeysVersion) {
                    topKeysSent = feed.topKeysVersion;
                    events.add(event("top_keys", feed.topKeys));
                }
            }
            return events;
        }

        private LiveEvent event(String name, String data) {
            return new LiveEvent(name, position.toString(), data);
        }

        /** Ends it; further calls change nothing. */
        public synchronized void close() {
            if (!ended) {
                ended = true;
                feed.closed();
            }
        }
    }
}
