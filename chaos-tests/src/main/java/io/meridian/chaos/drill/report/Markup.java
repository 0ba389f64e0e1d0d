package io.meridian.chaos.drill.report;

/** Text as it may stand in a page: names come from files that anybody may write. */
final class Markup {
    private Markup() {}

    /** For elements and quoted attributes. */
    static String text(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** JSON within a script element, which nothing may end early; the values stay what they are. */
    static String script(String json) {
        return json.replace("&", "\\u0026")
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }
}
