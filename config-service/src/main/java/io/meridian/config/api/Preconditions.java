package io.meridian.config.api;

import io.meridian.config.rules.EntryChange.Precondition;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parser of If-Match and If-None-Match. */
final class Preconditions {
    private static final Pattern TAG = Pattern.compile("(W/)?\"[!-~&&[^\"]]{0,64}\"");
    private static final int LENGTH_MAX = 1_000;
    private static final int TAGS_MAX = 100;

    private Preconditions() {}

    static Precondition of(HttpHeaders headers) {
        return of(headers.getHeaderString(HttpHeaders.IF_MATCH), headers.getHeaderString(HttpHeaders.IF_NONE_MATCH));
    }

    /** An entry that does not exist yet has no version to match. */
    static void forbidIfMatch(HttpHeaders headers) {
        String ifMatch = headers.getHeaderString(HttpHeaders.IF_MATCH);
        if (ifMatch != null) {
            throw Refusal.of(
                    AdminErrorCode.STALE, "If-Match", ifMatch, "cannot match what is yet to be created; use PUT");
        }
    }

    /** The condition on the rules as a whole, whose tag is the revision. */
    static Precondition ofWhole(HttpHeaders headers) {
        String ifNoneMatch = headers.getHeaderString(HttpHeaders.IF_NONE_MATCH);
        if (ifNoneMatch != null) {
            throw refused(HttpHeaders.IF_NONE_MATCH, ifNoneMatch, "must not be sent: there always is a rulebook");
        }
        return of(headers.getHeaderString(HttpHeaders.IF_MATCH), null);
    }

    /** Whether a GET has this version in If-None-Match. */
    static boolean isKnown(HttpHeaders headers, String etag) {
        String known = headers.getHeaderString(HttpHeaders.IF_NONE_MATCH);
        return known != null
                && Stream.of(known.split(",", TAGS_MAX))
                        .map(tag -> tag.strip().replaceFirst("^W/", ""))
                        .anyMatch(tag -> tag.equals(etag) || tag.equals("*"));
    }

    static Precondition of(@Nullable String ifMatch, @Nullable String ifNoneMatch) {
        if (ifMatch != null && ifNoneMatch != null) {
            throw refused(HttpHeaders.IF_NONE_MATCH, ifNoneMatch, "must not be sent with If-Match");
        }
        if (ifNoneMatch != null) {
            if (!ifNoneMatch.strip().equals("*")) {
                throw refused(HttpHeaders.IF_NONE_MATCH, ifNoneMatch, "must be *");
            }
            return new Precondition.Absent();
        }
        if (ifMatch == null) {
            return Precondition.ALWAYS;
        }
        return ifMatch.strip().equals("*")
                ? new Precondition.Matches(Set.of(Precondition.Matches.ANY))
                : matches(ifMatch);
    }

    /** A weak tag never matches (RFC 9110). */
    private static Precondition matches(String ifMatch) {
        Set<String> tags = Stream.of(ifMatch.split(",")).map(String::strip).collect(Collectors.toSet());
        if (ifMatch.length() > LENGTH_MAX
                || !tags.stream().allMatch(tag -> TAG.matcher(tag).matches())) {
            throw refused(HttpHeaders.IF_MATCH, ifMatch, "must be * or the ETag of an answer, in its quotes");
        }
        return new Precondition.Matches(tags);
    }

    private static Refusal refused(String header, String value, String rule) {
        return Refusal.of(AdminErrorCode.REFUSED, header, value, rule);
    }
}
