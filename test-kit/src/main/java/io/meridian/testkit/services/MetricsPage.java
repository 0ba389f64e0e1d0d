package io.meridian.testkit.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** docs/metrics.md, to be held to what a service really exports. A row is {@code | name | kind | labels | what it is |}. */
public final class MetricsPage {
    private static final String OURS = "meridian_";
    private static final Pattern HELP = Pattern.compile("# HELP (" + OURS + "\\S+) (.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (" + OURS + "\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("(" + OURS + "\\w+)\\{([^}]*)}.*");
    private static final Pattern SUFFIX = Pattern.compile("_(bucket|count|sum|total)$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

    private MetricsPage() {}

    /** A row for each metric of ours in a scrape, by name. The largest of late, beside each histogram, is not worth one. */
    public static List<String> rows(String scrape) {
        Map<String, Family> families = new TreeMap<>();
        for (String line : scrape.lines().toList()) {
            Matcher help = HELP.matcher(line);
            Matcher type = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (help.matches()) {
                family(families, help.group(1)).help = help.group(2);
            } else if (type.matches()) {
                family(families, type.group(1)).type = type.group(2);
            } else if (sample.matches()) {
                family(families, sample.group(1)).labels.addAll(labels(sample.group(2)));
            }
        }
        return families.entrySet().stream()
                .filter(each -> !each.getKey().endsWith("_max"))
                .map(each -> each.getValue().row(each.getKey()))
                .sorted()
                .toList();
    }

    /** Rows of a service, under the heading that is its name. */
    public static List<String> documented(String service) {
        try (Stream<String> lines = Files.lines(page())) {
            return lines.dropWhile(line -> !line.equals("## " + service))
                    .skip(1)
                    .takeWhile(line -> !line.startsWith("## "))
                    .filter(line -> line.startsWith("| `" + OURS))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tests run in the folder of their module. */
    private static Path page() {
        return Path.of("..", "docs", "metrics.md");
    }

    /** Whether a counter's name ends with what its samples end with is a matter of the format that was asked for. */
    private static Family family(Map<String, Family> families, String name) {
        return families.computeIfAbsent(SUFFIX.matcher(name).replaceFirst(""), each -> new Family());
    }

    private static List<String> labels(String text) {
        return LABEL.matcher(text)
                .results()
                .map(each -> each.group(1))
                .filter(each -> !each.equals("le"))
                .toList();
    }

    private static final class Family {
        private final TreeSet<String> labels = new TreeSet<>();
        private String type = "untyped";
        private String help = "";

        private String row(String name) {
            String exported = type.equals("counter") ? name + "_total" : name;
            return "| `" + exported + "` | " + type + " | " + String.join(", ", labels) + " | " + help.strip() + " |";
        }
    }
}
