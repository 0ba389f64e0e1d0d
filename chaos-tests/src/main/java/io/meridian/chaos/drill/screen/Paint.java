package io.meridian.chaos.drill.screen;

/** Whether lines are coloured. What a colour says is always said in words too. */
enum Paint {
    PLAIN,
    COLOURED;

    private static final String ESCAPE = "\u001b[";

    /** What a piece of text is. */
    enum Tone {
        USUAL(""),
        STRONG("1"),
        SOFT("2"),
        GOOD("32"),
        BAD("31;1"),
        ODD("33");

        private final String code;

        Tone(String code) {
            this.code = code;
        }
    }

    String of(Tone tone, String text) {
        return this == PLAIN || tone == Tone.USUAL ? text : ESCAPE + tone.code + "m" + text + ESCAPE + "0m";
    }
}
