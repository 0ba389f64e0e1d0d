package io.meridian.config.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bounded log of what happened, from which a client resumes after its last event. At the bound the oldest event is dropped, and a
 * client that had not read it is told so. Positions are those of one process: events of another replica are not found here.
 */
final class LiveLog {
    private final String process;
    private final int max;
    private final Deque<Logged> events = new ArrayDeque<>();
    private long last;

    /** @param process unique among all processes that ever ran */
    LiveLog(String process, int max) {
        this.process = process;
        this.max = max;
    }

    /** One event and its number, counted from 1. */
    record Logged(long number, String name, String data) {}

    /** Events after a position, and whether events between were dropped or are those of another process. */
    record Page(List<Logged> events, boolean missed, Position next) {}

    /** Position of a client: the last event that it has received. */
    record Position(String process, long number) {
        private static final Pattern TEXT = Pattern.compile("([0-9a-z]{1,32})-([0-9]{1,18})");

        static Optional<Position> parse(String text) {
            Matcher parts = TEXT.matcher(text);
            return parts.matches()
                    ? Optional.of(new Position(parts.group(1), Long.parseLong(parts.group(2))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return process + "-" + number;
        }
    }

    synchronized void append(String name, String data) {
        last++;
        events.addLast(new Logged(last, name, data));
        if (events.size() > max) {
            events.removeFirst();
        }
    }

    synchronized Position end() {
        return new Position(process, last);
    }

    synchronized Page after(Position position, int limit) {
        boolean known = position.process().equals(process) && position.number() <= last;
        if (!known) {
            return new Page(List.of(), true, end());
        }
        long oldest = last - events.size() + 1;
        List<Logged> page = new ArrayList<>();
        for (Logged each : events) {
            if (each.number() > position.number() && page.size() < limit) {
                page.add(each);
            }
        }
        long number =
                page.isEmpty() ? position.number() : page.get(page.size() - 1).number();
        return new Page(page, position.number() + 1 < oldest, new Position(process, number));
    }
}
