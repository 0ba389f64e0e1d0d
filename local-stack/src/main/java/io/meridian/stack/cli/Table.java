package io.meridian.stack.cli;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Lines whose columns stand below each other. */
final class Table {
    private static final String GAP = "  ";

    private Table() {}

    static String of(List<String> header, List<List<String>> rows) {
        List<List<String>> lines =
                Stream.concat(Stream.of(header), rows.stream()).toList();
        int[] widths = IntStream.range(0, header.size())
                .map(column -> lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return lines.stream().map(line -> line(line, widths)).collect(Collectors.joining());
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
