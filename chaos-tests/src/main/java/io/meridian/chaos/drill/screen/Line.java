package io.meridian.chaos.drill.screen;

import io.meridian.chaos.drill.screen.Paint.Tone;
import java.util.ArrayList;
import java.util.List;

/** A line of pieces, each in its tone, cut off at the terminal's edge: one that wraps would spoil what is painted over it. */
final class Line {
    private record Piece(Tone tone, String text) {}

    private final List<Piece> pieces = new ArrayList<>();

    static Line of(String text) {
        return new Line().add(Tone.USUAL, text);
    }

    /** What could move the cursor is shown as a question mark: names come from files. */
    Line add(Tone tone, String text) {
        pieces.add(new Piece(tone, text.replaceAll("\\p{Cntrl}", "?")));
        return this;
    }

    Line add(String text) {
        return add(Tone.USUAL, text);
    }

    String show(int width, Paint paint) {
        StringBuilder shown = new StringBuilder();
        int room = width;
        for (Piece piece : pieces) {
            if (piece.text().length() > room) {
                String cut = room == 0 ? "" : piece.text().substring(0, room - 1) + "…";
                return shown.append(paint.of(piece.tone(), cut)).toString();
            }
            shown.append(paint.of(piece.tone(), piece.text()));
            room -= piece.text().length();
        }
        return shown.toString();
    }
}
