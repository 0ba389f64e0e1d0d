package io.meridian.model.rule;

/** What counts as text: what every store keeps as it is and apart from everything else. */
public final class Texts {
    private Texts() {}

    /**
     * Whether a text has no control characters and no half of a surrogate pair, which has no UTF-8 form: encoders replace
     * it, and two keys would become one.
     */
    public static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** The same with line breaks and tabs allowed: prose. */
    public static boolean isProse(String text) {
        return isPlain(text.replace('\n', ' ').replace('\t', ' '));
    }
}
