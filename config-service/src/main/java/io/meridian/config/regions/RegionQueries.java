package io.meridian.config.regions;

import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQuery.Kind;
import io.meridian.model.wire.RegionQuery.Request;
import io.meridian.model.wire.RegionQueryReply;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Queries to the limiters of all regions about a client, and their answers. Bounded in number and in time. */
@Singleton
public class RegionQueries {
    private final RegionsConfig config;
    private final LimiterDirectory limiters;
    private final QuestionSender sender;
    private final TimeSource time;
    private final Semaphore permits;
    private final Map<String, PendingQuery> open = new ConcurrentHashMap<>();
    private final AtomicLong questionCount = new AtomicLong();
    private final String ids;
    private volatile boolean listening;

    RegionQueries(RegionsConfig config, LimiterDirectory limiters, QuestionSender sender, TimeSource time) {
        this.config = config;
        this.limiters = limiters;
        this.sender = sender;
        this.time = time;
        this.permits = new Semaphore(config.questionsMax());
        this.ids = Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX) + "-"
                + Long.toString(time.wallMicros(), Character.MAX_RADIX) + "-"
                + Long.toString(time.monotonicNanos(), Character.MAX_RADIX) + "-";
    }

    /**
     * Sends a question and waits, on a worker thread, for the answers of all live regions. Fails with
     * {@link RegionsUnavailableException} if no limiter can be asked.
     */
    public RegionAnswers ask(Kind kind, Map<String, String> attributes, String endpoint, String method) {
        return ask(kind, attributes, endpoint, method, Request.NONE, limiters.all());
    }

    /**
     * Asks how the limits of a check stand, which consumes nothing, and waits as {@link #ask} does.
     *
     * @param region the only region whose answer is waited for; every region if it is empty
     */
    public RegionAnswers askCheck(
            Map<String, String> attributes, String endpoint, String method, Request request, Optional<String> region) {
        List<Instance> waitedFor = limiters.all().stream()
                .filter(each -> region.isEmpty() || region.get().equals(each.region()))
                .toList();
        return ask(Kind.CHECK, attributes, endpoint, method, request, waitedFor);
    }

    private RegionAnswers ask(
            Kind kind,
            Map<String, String> attributes,
            String endpoint,
            String method,
            Request request,
            List<Instance> waitedFor) {
        long nowMicros = time.wallMicros();
        RegionQuery question = new RegionQuery(
                ids + questionCount.incrementAndGet(),
                kind,
                attributes,
                endpoint,
                method,
                request,
                nowMicros,
                nowMicros
                        + TimeUnit.NANOSECONDS.toMicros(
                                config.questionsExpireAfter().toNanos()));
        if (!listening) {
            throw new RegionsUnavailableException("the limiters' answers cannot be read now", false);
        }
        PendingQuery query = new PendingQuery(question, waitedFor);
        if (!query.hasLive()) {
            throw new RegionsUnavailableException("no limiter was heard of in the last " + config.liveWithin(), false);
        }
        if (!permits.tryAcquire()) {
            throw new RegionsUnavailableException(
                    "at most " + config.questionsMax() + " questions may be open at once", true);
        }
        try {
            open.put(question.id(), query);
            sender.send(query);
            return await(query);
        } finally {
            open.remove(question.id());
            permits.release();
        }
    }

    private RegionAnswers await(PendingQuery query) {
        try {
            if (!query.done().get(config.answerWithin().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new RegionsUnavailableException("Kafka did not take the question", false);
            }
        } catch (TimeoutException late) {
            // Regions that have not answered by now are missing.
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return query.collected();
    }

    /** Takes an answer to a question of this replica or of another one. */
    void answered(RegionQueryReply answer) {
        PendingQuery query = open.get(answer.queryId());
        if (query != null) {
            query.answered(answer);
        }
    }

    /** Whether answers can be received from now on. */
    void listening(boolean now) {
        listening = now;
    }

    /**
     * Answers of the regions to a question.
     *
     * @param answers one of each region that did what was asked, by region
     * @param missing the known regions that did not, or not with all of their live instances
     * @param askedMicros when the question was asked
     */
    public record RegionAnswers(List<RegionQueryReply> answers, List<String> missing, long askedMicros) {
        public RegionAnswers {
            answers = List.copyOf(answers);
            missing = List.copyOf(missing);
        }
    }

    /** The regions cannot be asked now. Without a stack trace: it is an answer, not a fault. */
    public static final class RegionsUnavailableException extends RuntimeException {
        private final boolean busy;

        RegionsUnavailableException(String reason, boolean busy) {
            super(reason, null, false, false);
            this.busy = busy;
        }

        /** Whether the reason is the bound on open questions. */
        public boolean isBusy() {
            return busy;
        }
    }
}
