package io.meridian.sync.leader;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import org.jspecify.annotations.Nullable;

/** What a replica knows of one partition, and where it stands with it. Outlives the clients it was read with. */
final class Partition {
    private final int number;
    private final Book book;
    private final Arrivals arrivals = new Arrivals();
    private Place place = new Place.Standby();
    private @Nullable LeaderBeat beat;
    private long beatNanos;
    private boolean beatOwed;

    Partition(int number, Book book) {
        this.number = number;
        this.book = book;
    }

    void heard(UsageRecord usage, long arrivedMicros) {
        book.heard(usage, arrivedMicros);
    }

    void announced(RegionAnnouncement announcement, long arrivedMicros) {
        book.announced(announcement, arrivedMicros);
    }

    /** What arrives at a standby is another one's to answer. */
    void arrived(String region, long appendedMicros) {
        if (role() != Role.STANDBY) {
            arrivals.add(region, appendedMicros);
        }
    }

    void said(VerdictRecord verdict) {
        book.said(verdict);
    }

    void floor(FloorRight right) {
        book.floor(right);
    }

    void beat(LeaderBeat heard) {
        book.epochSeen(heard.epoch());
        if (beat == null || heard.epoch() >= beat.epoch()) {
            beat = heard;
        }
    }

    void assigned() {
        if (place instanceof Place.Standby standby) {
            place = standby.assigned();
        }
    }

    void lost() {
        place = new Place.Standby();
        book.follow();
        arrivals.clear();
    }

    /** A leader has to take over anew. A candidate has said nothing that could be in doubt. */
    void doubted() {
        if (place instanceof Place.Leader leader) {
            place = leader.doubted();
            book.follow();
        }
    }

    void move(Place.Candidate next) {
        place = next;
    }

    void lead(Place.CatchingUp from, long nowMicros) {
        long epoch = book.epoch() + 1;
        place = from.lead(epoch);
        book.lead(epoch, nowMicros);
        beatOwed = true;
    }

    boolean isBeatDue(long nowNanos, long everyNanos) {
        return beatOwed || nowNanos - beatNanos >= everyNanos;
    }

    void beatSaid(long nowNanos) {
        beatOwed = false;
        beatNanos = nowNanos;
    }

    int number() {
        return number;
    }

    Book book() {
        return book;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    Place place() {
        return place;
    }

    @Nullable LeaderBeat beat() {
        return beat;
    }

    Role role() {
        if (place instanceof Place.Leader) {
            return Role.LEADER;
        }
        return place instanceof Place.Candidate ? Role.CANDIDATE : Role.STANDBY;
    }
}
