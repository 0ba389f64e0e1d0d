package io.meridian.config.outbox;

import io.meridian.config.outbox.Outbox.Pending;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Death of a publisher at one call of its producer or outbox: right before the call, or right after it was done. */
final class PublisherDeath {
    /** Calls at which a publisher can die. */
    enum Call {
        INIT_TRANSACTIONS("initTransactions", 1, 1),
        DELETE_AT_THE_BEGINNING("deleteUpTo", 1, 1),
        NEXT("next", 1, 4),
        BEGIN_TRANSACTION("beginTransaction", 1, 3),
        SEND("send", 1, 9),
        COMMIT_TRANSACTION("commitTransaction", 1, 3),
        DELETE_WHAT_WAS_COMMITTED("deleteUpTo", 2, 4);

        private final String method;
        private final int first;
        private final int last;

        Call(String method, int first, int last) {
            this.method = method;
            this.first = first;
            this.last = last;
        }
    }

    private final String method;
    private final boolean isDone;
    private final Runnable meanwhile;
    private int left;

    private PublisherDeath(String method, int occurrence, boolean isDone, Runnable meanwhile) {
        this.method = method;
        this.left = occurrence;
        this.isDone = isDone;
        this.meanwhile = meanwhile;
    }

    /** Death right after the first such call. */
    static PublisherDeath after(Call call) {
        return new PublisherDeath(call.method, call.first, true, () -> {});
    }

    /**
     * Death at one of the first such calls of a publisher.
     *
     * @param isDone whether it dies right after the call, not before it
     * @param meanwhile what others do between two calls
     */
    static PublisherDeath at(Call call, boolean isDone, Random random, Runnable meanwhile) {
        return new PublisherDeath(
                call.method, call.first + random.nextInt(call.last - call.first + 1), isDone, meanwhile);
    }

    private <T> T call(String name, Callable<T> call) throws Exception {
        meanwhile.run();
        if (!name.equals(method) || --left > 0) {
            return call.call();
        }
        if (isDone) {
            call.call();
        }
        throw new Death();
    }

    private <T> T plain(String name, Supplier<T> call) {
        try {
            return call(name, call::get);
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("unchecked")
    Producer<String, @Nullable String> over(Producer<String, @Nullable String> producer) {
        return (Producer<String, @Nullable String>) Proxy.newProxyInstance(
                PublisherDeath.class.getClassLoader(),
                new Class<?>[] {Producer.class},
                (proxy, called, arguments) -> call(called.getName(), () -> {
                    try {
                        return called.invoke(producer, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause() instanceof Exception cause ? cause : failed;
                    }
                }));
    }

    Outbox over(OutboxStand stand) {
        Outbox real = stand.outbox();
        return new Outbox(stand.database()) {
            @Override
            List<Pending> next(int max) {
                return plain("next", () -> real.next(max));
            }

            @Override
            void deleteUpTo(long position) {
                boolean unused = plain("deleteUpTo", () -> {
                    real.deleteUpTo(position);
                    return true;
                });
            }
        };
    }

    /** The end of a publisher. */
    static final class Death extends RuntimeException {}
}
