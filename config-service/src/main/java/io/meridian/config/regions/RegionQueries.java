package io.meridian.config.regions;

import java.util.List;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.ClientAnswer;
import io.meridian.model.wire.ClientQuestion;
import io.meridian.model.wire.ClientQuestion.Kind;
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
public class RegionQueries {
    private final RegionsConfig config;
    private final LimiterDirectory instances;
    private final QuestionSender sender;
    private final TimeSource time;
    private final Semaphore room;
    private final Map<String, PendingQuery> open = new ConcurrentHashMap<>();
    private final AtomicLong asked = new AtomicLong();
    private final String ids;
    private volatile boolean listening;

    RegionQueries(RegionsConfig config, LimiterDirectory instances, QuestionSender sender, TimeSource time) {
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
     * Waits for what every region that is live has to say, not for long; for worker threads. Fails with {@link RegionsUnavailableException}
     * if nobody can be asked.
     */
    public RegionAnswers ask(Kind kind, Map<String, String> attributes, String endpoint, String method) {
        long nowMicros = time.wallMicros();
        ClientQuestion question = new ClientQuestion(
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
            throw new RegionsUnavailableException("the limiters' answers cannot be read now", false);
        }
        PendingQuery asking = new PendingQuery(question, instances.all());
        if (!asking.hasLive()) {
            throw new RegionsUnavailableException("no limiter was heard of in the last " + config.liveWithin(), false);
        }
        if (!room.tryAcquire()) {
            throw new RegionsUnavailableException("at most " + config.questionsMax() + " questions may be open at once", true);
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

    private RegionAnswers awaited(PendingQuery asking) {
        try {
            if (!asking.done().get(config.answerWithin().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new RegionsUnavailableException("Kafka did not take the question", false);
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
    void answered(ClientAnswer answer) {
        PendingQuery asking = open.get(answer.questionId());
        if (asking != null) {
            asking.answered(answer);
        }
    }

    /** Whether answers are heard from now on. */
    void listening(boolean now) {
        listening = now;
    }

    /**
     * What the regions said to a question.
     *
     * @param answers one of each region that did what was asked, by region
     * @param missing the regions that are known and did not, or not all of whose live instances did
     * @param askedMicros when they were asked
     */
    public record RegionAnswers(List<ClientAnswer> answers, List<String> missing, long askedMicros) {
        public RegionAnswers {
            answers = List.copyOf(answers);
            missing = List.copyOf(missing);
        }
    }

    /** The regions cannot be asked now. No stack: it is an answer, not a fault. */
    public static final class RegionsUnavailableException extends RuntimeException {
        private final boolean busy;

        RegionsUnavailableException(String reason, boolean busy) {
            super(reason, null, false, false);
            this.busy = busy;
        }

        /** Whether it is only that too many ask. */
        public boolean isBusy() {
            return busy;
        }
    }
}
