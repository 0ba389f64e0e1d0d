package io.meridian.config.access;

import java.util.regex.Pattern;

/** What a caller sent, fit to be shown: bounded, without control characters and half characters, and without tokens. */
public final class Shown {
    private static final int MAX = 500;
    /** Ours, and what the local stack's first admin has: whoever puts one in a wrong place does not find it in a log. */
    private static final Pattern TOKEN =
            Pattern.compile("mrd(_|%5[Ff])[A-Za-z0-9_-]{20,}|[0-9a-f]{64}|eyJ[A-Za-z0-9_.-]{40,}");

    private Shown() {}

    public static boolean hasToken(String text) {
        return TOKEN.matcher(text).find();
    }

    public static String text(String text) {
        String sent = TOKEN.matcher(text).replaceAll("(a token)");
        StringBuilder shown = new StringBuilder(Math.min(sent.length(), MAX));
        for (int i = 0; i < sent.length() && i < MAX; i++) {
            char c = sent.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < sent.length()
                    && Character.isSurrogatePair(c, sent.charAt(i + 1));
            if (pair) {
                shown.append(c).append(sent.charAt(++i));
            } else {
                shown.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '\uFFFD' : c);
            }
        }
        return sent.length() > MAX ? shown + "…" : shown.toString();
    }
}
