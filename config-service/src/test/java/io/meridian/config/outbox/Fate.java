package io.meridian.config.outbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Lets a publisher live for so many steps: it dies right before the last of them, or right after it was done. */
final class Fate {
    private final Runnable meanwhile;
    private final boolean lastIsDone;
    private int steps;

    /** @param meanwhile what the world does between two steps */
    Fate(int steps, boolean lastIsDone, Runnable meanwhile) {
        this.steps = steps;
        this.lastIsDone = lastIsDone;
        this.meanwhile = meanwhile;
    }

    private <T> T step(Callable<T> step) throws Exception {
        meanwhile.run();
        if (--steps > 0) {
            return step.call();
        }
        if (lastIsDone) {
            step.call();
        }
        throw new Death();
    }

    private <T> T plain(Supplier<T> step) {
        try {
            return step(step::get);
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A producer whose every call is a step. */
    @SuppressWarnings("unchecked")
    Producer<String, @Nullable String> over(Producer<String, @Nullable String> producer) {
        return (Producer<String, @Nullable String>) Proxy.newProxyInstance(
                Fate.class.getClassLoader(),
                new Class<?>[] {Producer.class},
                (proxy, method, arguments) -> step(() -> {
                    try {
                        return method.invoke(producer, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause() instanceof Exception cause ? cause : failed;
                    }
                }));
    }

    /** An outbox whose every call is a step. */
    Outbox over(OutboxStand stand) {
        Outbox real = stand.outbox();
        return new Outbox(stand.database()) {
            @Override
            List<Pending> next(int max) {
                return plain(() -> real.next(max));
            }

            @Override
            void forget(long position) {
                boolean unused = plain(() -> {
                    real.forget(position);
                    return true;
                });
            }
        };
    }

    /** The end of a publisher. */
    static final class Death extends RuntimeException {}
}
