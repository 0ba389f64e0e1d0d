package io.meridian.config.drills;

import io.meridian.model.validation.Validator;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Drill as it is published: what happened and how it was judged.
 *
 * @param target what it ran against, for readers
 * @param sentence the verdict in a sentence
 * @param journal of its activities: JSON in the fields of a Chaos Toolkit journal
 * @param report the page for a browser, self-contained HTML
 */
public record PublishedDrill(
        String name,
        String title,
        String target,
        Instant startedAt,
        Instant endedAt,
        Verdict verdict,
        String sentence,
        List<JudgedPromise> promises,
        String journal,
        Optional<String> report) {
    public static final int NAME_MAX = 128;
    public static final int TITLE_MAX = 256;
    public static final int SENTENCE_MAX = 4_096;
    public static final int PROMISES_MAX = 200;
    public static final int JOURNAL_CHARACTERS_MAX = 2 << 20;
    public static final int REPORT_CHARACTERS_MAX = 8 << 20;

    /** Verdict of a drill or of one of its promises. */
    public enum Verdict {
        HELD,
        BROKEN,
        UNKNOWN
    }

    /** One promise of a drill, and why it counts as held or not. */
    public record JudgedPromise(String promise, Verdict verdict, String description) {}

    public PublishedDrill {
        promises = List.copyOf(promises);
        Validator rules = new Validator();
        rules.requireName("drill", name, NAME_MAX);
        rules.requireName("title", title, TITLE_MAX);
        rules.require(
                target.length() <= TITLE_MAX && Validator.isPlain(target),
                "target",
                target,
                "must have at most " + TITLE_MAX + " characters and no control characters");
        rules.require(!endedAt.isBefore(startedAt), "ended_at", endedAt, "must not be before started_at " + startedAt);
        requireProse(rules, "sentence", sentence);
        rules.require(
                promises.size() <= PROMISES_MAX,
                "promises",
                promises.size() + " promises",
                "must be at most " + PROMISES_MAX);
        for (int i = 0; i < Math.min(promises.size(), PROMISES_MAX); i++) {
            rules.requireName("promises[" + i + "].promise", promises.get(i).promise(), TITLE_MAX);
            requireProse(
                    rules, "promises[" + i + "].description", promises.get(i).description());
        }
        rules.require(
                journal.length() <= JOURNAL_CHARACTERS_MAX,
                "journal",
                journal.length() + " characters",
                "must have at most " + JOURNAL_CHARACTERS_MAX + " characters");
        report.ifPresent(page -> rules.require(
                !page.isEmpty() && page.length() <= REPORT_CHARACTERS_MAX && page.indexOf('\0') < 0,
                "report",
                page.length() + " characters",
                "must have 1 to " + REPORT_CHARACTERS_MAX + " characters, none of them zero"));
        rules.throwIfInvalid();
    }

    private static void requireProse(Validator rules, String field, String text) {
        rules.require(
                text.length() <= SENTENCE_MAX && Validator.isProse(text),
                field,
                text.length() <= TITLE_MAX ? text : text.length() + " characters",
                "must have at most " + SENTENCE_MAX + " characters and no control characters");
    }
}
