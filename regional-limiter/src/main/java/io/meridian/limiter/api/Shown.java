package io.meridian.limiter.api;

/** A caller's own words as an answer repeats them: short, and of characters that every encoder takes. */
final class Shown {
    static final int LENGTH_MAX = 200;

    private Shown() {}

    static String text(String text) {
        StringBuilder shown = new StringBuilder(Math.min(text.length(), LENGTH_MAX + 1));
        int index = 0;
        for (int count = 0; index < text.length() && count < LENGTH_MAX; count++) {
            int point = text.codePointAt(index);
            boolean printable = !Character.isISOControl(point) && !isHalf(point);
            shown.appendCodePoint(printable ? point : '\uFFFD');
            index += Character.charCount(point);
        }
        return index < text.length() ? shown.append('…').toString() : shown.toString();
    }

    private static boolean isHalf(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
