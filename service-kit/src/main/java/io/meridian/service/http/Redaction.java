package io.meridian.service.http;

import java.util.regex.Pattern;

/**
 * Caller's text as answers and logs repeat it: bounded, without control characters and half characters, and without tokens.
 *
 * <p>Only the beginning of a text is looked at, a few times as much as is shown, so the cost does not grow with what a caller sends. Where it is cut, the last
 * {@value #TOKEN_MIN} characters are left out: they may be the beginning of a token that is not recognised without its end.
 */
public final class Redaction {
    private static final int TEXT_MAX = 500;
    private static final int VALUE_MAX = 200;
    /** No kind of token needs more characters to be recognised. */
    private static final int TOKEN_MIN = 64;
    /** Ours, the one of the local stack's first admin, and JSON web tokens: one that was put in a wrong place is not found in a log. */
    private static final Pattern TOKEN =
            Pattern.compile("mrd(_|%5[Ff])[A-Za-z0-9_-]{20,}|[0-9a-f]{64}|eyJ[A-Za-z0-9_.-]{40,}");

    private Redaction() {}

    public static boolean hasToken(String text) {
        return TOKEN.matcher(text).find();
    }

    /** At most 500 characters of it: for a path, a reason. */
    public static String text(String text) {
        return text(text, TEXT_MAX);
    }

    /** At most 200 characters of it: for one value among others. */
    public static String value(String text) {
        return text(text, VALUE_MAX);
    }

    static String text(String text, int charactersMax) {
        // A character may be two of Java's.
        int end = Math.min(text.length(), 4 * charactersMax + TOKEN_MIN);
        String sent = TOKEN.matcher(text.substring(0, end)).replaceAll("(a token)");
        boolean cut = end < text.length();
        int length = cut ? Math.max(0, sent.length() - TOKEN_MIN) : sent.length();
        StringBuilder shown = new StringBuilder(Math.min(length, charactersMax + 1));
        int index = 0;
        for (int count = 0; index < length && count < charactersMax; count++) {
            int point = sent.codePointAt(index);
            boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            shown.appendCodePoint(half || Character.isISOControl(point) ? '\uFFFD' : point);
            index += Character.charCount(point);
        }
        return cut || index < length ? shown.append('…').toString() : shown.toString();
    }
}
