package io.meridian.chaos.drill.report;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a history is of: all of it but the events.
 *
 * @param version of the file's form
 */
record HistoryHeader(
        int version, String drill, String title, String startedAt, List<String> regions, List<SubjectLine> subjects) {
    /** 2: faults have a type. 1 had words alone, from which a checker would have to guess. */
    static final int VERSION = 2;

    /** A subject in JSON's types. */
    record SubjectLine(String policy, String key, Subject.Sharing sharing, long limit, String window) {}

    static HistoryHeader of(History history) {
        return new HistoryHeader(
                VERSION,
                history.drill(),
                history.title(),
                history.startedAt().toString(),
                history.regions(),
                history.subjects().stream().map(HistoryHeader::line).toList());
    }

    History with(List<Event> events) {
        List<Subject> all = subjects.stream()
                .map(line -> new Subject(
                        line.policy(), line.key(), line.sharing(), line.limit(), Duration.parse(line.window())))
                .toList();
        return new History(drill, title, Instant.parse(startedAt), regions, all, events);
    }

    private static SubjectLine line(Subject subject) {
        return new SubjectLine(
                subject.policy(),
                subject.key(),
                subject.sharing(),
                subject.limit(),
                subject.window().toString());
    }
}
