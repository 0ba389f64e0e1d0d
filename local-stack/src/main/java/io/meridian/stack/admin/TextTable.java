package io.meridian.stack.admin;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Table for the terminal: columns aligned with blanks. Characters that a terminal would obey are replaced. */
public final class TextTable {
    private static final String GAP = "  ";

    private TextTable() {}

    /** The header and the rows, each line with its end. */
    public static String of(List<String> header, List<List<String>> rows) {
        List<List<String>> lines = Stream.concat(Stream.of(header), rows.stream())
                .map(cells -> cells.stream().map(TextTable::printable).toList())
                .toList();
        int[] widths = IntStream.range(0, header.size())
                .map(column -> lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return lines.stream().map(line -> line(line, widths)).collect(Collectors.joining());
    }

    /** Text of others for one line of a terminal, without control characters. */
    static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private static String line(List<String> cells, int[] widths) {
        return IntStream.range(0, widths.length)
                        .mapToObj(column -> cells.get(column)
                                + " ".repeat(widths[column] - cells.get(column).length()))
                        .collect(Collectors.joining(GAP))
                        .stripTrailing()
                + "\n";
    }
}
