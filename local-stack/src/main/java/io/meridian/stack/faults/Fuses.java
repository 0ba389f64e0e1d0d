package io.meridian.stack.faults;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The ends that swallowing toxics hold ready for one direction of a connection. They burn on the timer's thread and not on
 * the writer's, because a writer may be stuck with a peer that does not read.
 */
final class Fuses {
    private final ScheduledExecutorService timer;
    private final Consumer<Ending> end;
    private final Map<String, Future<?>> burning = new HashMap<>();
    private Map<String, Fault.Swallowing> faults = Map.of();

    Fuses(ScheduledExecutorService timer, Consumer<Ending> end) {
        this.timer = timer;
        this.end = end;
    }

    /** Lights a fuse for each new or changed fault; ends the connection where a fault is gone. */
    synchronized void change(Map<String, Fault.Swallowing> next) {
        Map<String, Fault.Swallowing> before = faults;
        faults = next;
        for (Map.Entry<String, Fault.Swallowing> known : before.entrySet()) {
            if (!next.containsKey(known.getKey())) {
                end.accept(known.getValue().ending());
                return;
            }
        }
        next.forEach((toxic, fault) -> {
            if (!fault.equals(before.get(toxic))) {
                light(toxic, fault);
            }
        });
    }

    synchronized void putOut() {
        burning.values().forEach(fuse -> fuse.cancel(false));
        burning.clear();
    }

    private void light(String toxic, Fault.Swallowing fault) {
        Future<?> replaced = burning.remove(toxic);
        if (replaced != null) {
            replaced.cancel(false);
        }
        if (fault.timeoutMillis() > 0) {
            burning.put(
                    toxic,
                    timer.schedule(() -> end.accept(fault.ending()), fault.timeoutMillis(), TimeUnit.MILLISECONDS));
        } else if (fault.ending() == Ending.RESET) {
            end.accept(Ending.RESET);
        }
    }
}
