package io.meridian.drill.sample;

import static io.meridian.drill.sample.SampleDrill.REGIONS;
import static io.meridian.drill.sample.SampleDrill.STARTED;
import static io.meridian.drill.sample.SampleDrill.WINDOW;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static io.meridian.drill.sample.SampleDrill.windowEnd;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Subject.Sharing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Drill of a calm world whose regions are asked in rounds: warm-up from 0 s, control from 5 s to 15 s, windows of 5 s, loops of 250 ms. */
public final class SampleRounds {
    public static final long LIMIT = 40;
    public static final String FIRST = REGIONS.get(0);
    public static final List<String> LATER = REGIONS.subList(1, REGIONS.size());
    public static final Subject ESCROW =
            new Subject("rounds-escrow", "user_id={window}", Sharing.ESCROW, LIMIT, WINDOW);
    public static final Subject CONVERGE =
            new Subject("rounds-converge", "user_id={window}", Sharing.CONVERGE, LIMIT, WINDOW);

    private static final long TOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Subject subject;
    private final List<Event> events = new ArrayList<>();
    private long lateMicros = 300;

    public SampleRounds(Subject subject) {
        this.subject = subject;
        events.add(new Event.PhaseBegan(0, Phase.WARM_UP));
        events.add(new Event.PhaseBegan(seconds(5), Phase.CONTROL));
        events.add(new Event.PhaseBegan(seconds(15), Phase.QUIET));
        loop(5, 250);
    }

    /** In the window from 5 s the first region alone asks for one and a half times the limit, within a second, and has it. */
    public static SampleRounds usedUpByTheFirst() {
        SampleRounds rounds = new SampleRounds(CONVERGE);
        for (int i = 0; i < 60; i++) {
            rounds.ask(5.25 + i / 60.0, FIRST, 1, i < LIMIT ? 1 : 0);
        }
        return rounds;
    }

    /** Every region tells of a loop that was so slow. */
    public SampleRounds loop(double at, double millis) {
        REGIONS.forEach(region -> events.add(new Event.LoopSampled(seconds(at), region, millis, millis, 40)));
        return this;
    }

    /** So many checks at once, of which the first are admitted; no two are answered at the same time. */
    public SampleRounds ask(double at, String region, long checks, long admitted) {
        for (long i = 0; i < checks; i++) {
            events.add(new Checked(
                    seconds(at),
                    lateMicros,
                    seconds(at) + TOOK_NANOS + events.size(),
                    region,
                    subject.policy(),
                    i < admitted ? Outcome.ALLOWED : Outcome.DENIED,
                    windowEnd(seconds(at)),
                    false,
                    false,
                    ""));
        }
        return this;
    }

    /** From now on checks are sent so late that the machine counts as starved. */
    public SampleRounds starved() {
        lateMicros = TimeUnit.MILLISECONDS.toMicros(84);
        return this;
    }

    public SampleRounds with(Event event) {
        events.add(event);
        return this;
    }

    public DrillHistory history() {
        return new DrillHistory("rounds", "Checks in rounds", STARTED, REGIONS, List.of(subject), events);
    }
}
