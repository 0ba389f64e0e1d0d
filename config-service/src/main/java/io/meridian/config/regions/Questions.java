package io.meridian.config.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.RegionQuery.Kind;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQueryReply;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Asks the limiters of all regions and collects what they answer: so many questions at once, each for so long. */
@Singleton
public class Questions {
    private final RegionsConfig config;
    private final Instances instances;
    private final QuestionSender sender;
    private final TimeSource time;
    private final Semaphore room;
    private final Map<String, OpenQuestion> open = new ConcurrentHashMap<>();
    private final AtomicLong asked = new AtomicLong();
    private final String ids;
    private volatile boolean listening;

    Questions(RegionsConfig config, Instances instances, QuestionSender sender, TimeSource time) {
        this.config = config;
        this.instances = instances;
        this.sender = sender;
        this.time = time;
        this.room = new Semaphore(config.questionsMax());
        this.ids = Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX) + "-"
                + Long.toString(time.wallMicros(), Character.MAX_RADIX) + "-"
                + Long.toString(time.monotonicNanos(), Character.MAX_RADIX) + "-";
    }

    /**
     * Waits for what every region that is live has to say, not for long; for worker threads. Fails with {@link RegionsAway}
     * if nobody can be asked.
     */
    public Collected ask(Kind kind, Map<String, String> attributes, String endpoint, String method) {
        long nowMicros = time.wallMicros();
        RegionQuery question = new RegionQuery(
                ids + asked.incrementAndGet(),
                kind,
                attributes,
                endpoint,
                method,
                nowMicros,
                nowMicros
                        + TimeUnit.NANOSECONDS.toMicros(
                                config.questionsExpireAfter().toNanos()));
        if (!listening) {
            throw new RegionsAway("the limiters' answers cannot be read now", false);
        }
        OpenQuestion asking = new OpenQuestion(question, instances.all());
        if (!asking.hasLive()) {
            throw new RegionsAway("no limiter was heard of in the last " + config.liveWithin(), false);
        }
        if (!room.tryAcquire()) {
            throw new RegionsAway("at most " + config.questionsMax() + " questions may be open at once", true);
        }
        try {
            open.put(question.id(), asking);
            sender.send(asking);
            return awaited(asking);
        } finally {
            open.remove(question.id());
            room.release();
        }
    }

    private Collected awaited(OpenQuestion asking) {
        try {
            if (!asking.done().get(config.answerWithin().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new RegionsAway("Kafka did not take the question", false);
            }
        } catch (TimeoutException late) {
            // Who has not answered by now is missing.
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return asking.collected();
    }

    /** An answer, to a question of this replica or of another. */
    void answered(RegionQueryReply answer) {
        OpenQuestion asking = open.get(answer.queryId());
        if (asking != null) {
            asking.answered(answer);
        }
    }

    /** Whether answers are heard from now on. */
    void listening(boolean now) {
        listening = now;
    }
}
