package io.meridian.config.api;

import io.meridian.model.validation.Validator;
import io.meridian.service.http.Redaction;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Query parameters of a call: known names only, given once, plain bounded text. */
final class Query {
    static final String DRY_RUN = "dry_run";
    static final String LIMIT = "limit";
    static final String CURSOR = "cursor";
    static final String FROM = "from";
    static final String TO = "to";
    static final int LIMIT_MAX = 1_000;

    private static final int LIMIT_DEFAULT = 100;
    private static final int VALUE_MAX = 4_096;
    /** Instant has a wider range than PostgreSQL and than years of four digits. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant TOO_LATE = EARLIEST.plus(Duration.ofDays(3_652_059));

    private final Map<String, List<String>> parameters;

    private Query(Map<String, List<String>> parameters) {
        this.parameters = parameters;
    }

    static Query of(UriInfo uri, String... known) {
        return of(uri, Set.of(known));
    }

    static Query of(UriInfo uri, Set<String> known) {
        MultivaluedMap<String, String> parameters = uri.getQueryParameters();
        parameters.forEach((name, values) -> {
            if (!known.contains(name)) {
                throw Refusal.of(
                        AdminErrorCode.UNKNOWN_FIELD,
                        "there is no parameter " + Redaction.text(name) + " here, only "
                                + known.stream().sorted().toList());
            }
            if (values.size() > 1) {
                throw refused(name, String.join(", ", values), "must be given once");
            }
            if (values.get(0).length() > VALUE_MAX || !Validator.isPlain(values.get(0))) {
                throw refused(
                        name,
                        Redaction.text(values.get(0)),
                        "must be plain text of at most " + VALUE_MAX + " characters");
            }
        });
        return new Query(parameters);
    }

    /** The parameter dry_run of a call that has no other. */
    static boolean dryRun(UriInfo uri) {
        return of(uri, DRY_RUN).flag(DRY_RUN);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(parameters.get(name)).map(values -> values.get(0));
    }

    boolean flag(String name) {
        return bool(name).orElse(false);
    }

    Optional<Boolean> bool(String name) {
        return text(name).map(value -> switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused(name, value, "must be true or false");
        });
    }

    Optional<Instant> time(String name) {
        return text(name).map(value -> {
            try {
                Instant time = Instant.parse(value);
                if (isStorable(time)) {
                    return time;
                }
            } catch (DateTimeParseException malformed) {
                // Refused below.
            }
            throw refused(name, value, "must be an RFC 3339 time in UTC, from year 1 to 9999");
        });
    }

    /** Whether PostgreSQL can store the time, and RFC 3339 can write it. */
    static boolean isStorable(Instant time) {
        return !time.isBefore(EARLIEST) && time.isBefore(TOO_LATE);
    }

    /** Whether a time is in the requested range, which is open at an end that is not given. */
    Predicate<Instant> range() {
        Optional<Instant> from = time(FROM);
        Optional<Instant> to = time(TO);
        return at -> from.map(first -> !at.isBefore(first)).orElse(true)
                && to.map(at::isBefore).orElse(true);
    }

    /** The size of a page. */
    int limit() {
        return text(LIMIT)
                .map(value -> {
                    int limit = value.matches("[0-9]{1,4}") ? Integer.parseInt(value) : 0;
                    if (limit < 1 || limit > LIMIT_MAX) {
                        throw refused(LIMIT, value, "must be from 1 to " + LIMIT_MAX);
                    }
                    return limit;
                })
                .orElse(LIMIT_DEFAULT);
    }

    /** The last item of the previous page; empty for the first page. */
    Optional<String> after() {
        return text(CURSOR).map(cursor -> {
            try {
                String after = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
                if (Validator.isPlain(after)) {
                    return after;
                }
            } catch (IllegalArgumentException malformed) {
                // Refused below.
            }
            throw refused(CURSOR, cursor, "must be the next of an earlier answer");
        });
    }

    /** The same for items identified by a number. */
    Optional<Long> afterNumber() {
        return after().map(number -> {
            if (!number.matches("[0-9]{1,18}")) {
                throw refused(CURSOR, number, "must be the next of an earlier answer");
            }
            return Long.parseLong(number);
        });
    }

    /** The cursor of the page that follows an item. */
    static String cursor(String last) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(last.getBytes(StandardCharsets.UTF_8));
    }

    static Refusal refused(String name, String value, String rule) {
        return Refusal.of(AdminErrorCode.MALFORMED_QUERY, name, value, rule);
    }
}
