package io.meridian.drill.console;

import io.meridian.drill.console.DrillProgress.Rates;
import io.meridian.drill.console.Terminal.Paint;
import io.meridian.drill.console.Terminal.StyledLine;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Subject;
import io.meridian.model.time.TimeSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Live progress of a drill: repainted in place twice a second, or without a terminal a line every two seconds and for each phase and fault.
 * It never throws, because a failing display must not end a drill.
 */
public final class LiveScreen implements Consumer<Event>, AutoCloseable {
    private static final long PAINT_MILLIS = 500;
    private static final long LINE_MILLIS = 2_000;
    private static final String OVER = "\u001b[%dA";
    private static final String CLEAR = "\u001b[2K";

    private final Terminal terminal;
    private final String title;
    private final TimeSource time;
    private final long startNanos;
    private final DrillProgress progress;
    private final Rates rates = new Rates();
    private final ScheduledExecutorService painter;
    private @Nullable Future<?> painting;
    private int painted;
    private boolean closed;

    /** Event time begins now. */
    public LiveScreen(Terminal terminal, String title, List<String> regions, List<Subject> subjects, TimeSource time) {
        this.terminal = terminal;
        this.title = title;
        this.time = time;
        startNanos = time.monotonicNanos();
        progress = new DrillProgress(regions, subjects);
        painter = Executors.newSingleThreadScheduledExecutor(run -> {
            Thread thread = new Thread(run, "drill-screen");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts painting. */
    public synchronized LiveScreen start() {
        long every = terminal.live() ? PAINT_MILLIS : LINE_MILLIS;
        painting = painter.scheduleWithFixedDelay(this::paint, every, every, TimeUnit.MILLISECONDS);
        return this;
    }

    @Override
    public synchronized void accept(Event event) {
        try {
            progress.accept(event);
            if (!terminal.live() && !closed) {
                say(event);
            }
        } catch (RuntimeException ignored) {
            // The history has the event; only the display lacks it.
        }
    }

    /** Paints a last time. */
    @Override
    public void close() {
        synchronized (this) {
            if (painting != null) {
                painting.cancel(false);
            }
            paint();
            closed = true;
        }
        painter.shutdown();
    }

    synchronized void paint() {
        if (closed) {
            return;
        }
        try {
            long nowNanos = time.monotonicNanos();
            ScreenFrame frame =
                    new ScreenFrame(title, progress, rates.at(nowNanos, progress.counts()), nowNanos - startNanos);
            if (terminal.live()) {
                over(frame.full(terminal.width()));
            } else {
                terminal.out().println(frame.brief().show(Integer.MAX_VALUE, Paint.PLAIN));
            }
            terminal.out().flush();
        } catch (RuntimeException ignored) {
            // The next repaint may succeed.
        }
    }

    private void say(Event event) {
        double seconds = event.atNanos() / 1e9;
        if (event instanceof Event.PhaseBegan began) {
            terminal.out().printf("%5.0f s  phase: %s%n", seconds, began.phase());
        } else if (event instanceof Event.FaultBegan began) {
            terminal.out().printf("%5.0f s  fault: %s%n", seconds, began.description());
        } else if (event instanceof Event.FaultEnded ended) {
            terminal.out().printf("%5.0f s  ended: %s%n", seconds, ended.fault());
        }
    }

    /** Paints over the last frame; surplus lines of it become empty. */
    private void over(List<StyledLine> lines) {
        StringBuilder text = new StringBuilder();
        if (painted > 0) {
            text.append(OVER.formatted(painted));
        }
        lines.forEach(line -> text.append(CLEAR)
                .append(line.show(terminal.width() - 1, terminal.paint()))
                .append('\n'));
        int spare = Math.max(0, painted - lines.size());
        text.append((CLEAR + "\n").repeat(spare));
        painted = lines.size() + spare;
        terminal.out().print(text);
    }
}
