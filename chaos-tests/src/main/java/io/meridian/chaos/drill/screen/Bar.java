package io.meridian.chaos.drill.screen;

import io.meridian.chaos.drill.screen.Paint.Tone;

/** A total against its limit. What is above shows as other signs behind the limit's mark, a third of the limit at most. */
record Bar(long total, long limit, int cells) {
    void addTo(Line line) {
        int within = (int) Math.min(cells, total * cells / limit);
        long over = Math.max(0, total - limit);
        int above = over == 0 ? 0 : (int) Math.min(cells / 3, 1 + over * cells / limit);
        line.add("[")
                .add(within == cells ? Tone.ODD : Tone.GOOD, "#".repeat(within))
                .add(Tone.SOFT, ".".repeat(cells - within))
                .add("|")
                .add(Tone.BAD, "!".repeat(above))
                .add(" ".repeat(cells / 3 - above))
                .add(" %,d of %,d".formatted(total, limit));
    }
}
