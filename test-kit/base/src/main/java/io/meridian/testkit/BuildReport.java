package io.meridian.testkit;

import static java.util.Comparator.comparingDouble;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Table at the end of {@code mvn verify}: tests, skipped tests with their reasons, seeds played, JVM starts, and the slowest test
 * classes, over all modules. It reads the XML reports of Surefire and Failsafe and the records of {@link TestJvm}, as far as this
 * build wrote them.
 */
public final class BuildReport {
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
    private static final int SLOWEST = 10;

    private final Map<String, ModuleTotals> modules = new TreeMap<>();
    private final Map<String, Integer> skipped = new TreeMap<>();
    private final List<ClassTime> classes = new ArrayList<>();

    private record ClassTime(String module, String name, double seconds) {}

    private static final class ModuleTotals {
        private int tests;
        private int failed;
        private int skipped;
        private double seconds;
        private long seeds;
        private long jvms;
        private String firstSeed = "";
    }

    /** Arguments: the root folder of the build, and the timestamp at which it began. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2) {
            throw new IllegalArgumentException(
                    "needs the root folder and the build's timestamp, got " + arguments.length);
        }
        Instant began = LocalDateTime.parse(arguments[1], TIMESTAMP).toInstant(ZoneOffset.UTC);
        read(Path.of(arguments[0]), began).print(System.out);
    }

    static BuildReport read(Path root, Instant began) throws IOException, ParserConfigurationException, SAXException {
        BuildReport report = new BuildReport();
        for (Path module : modules(root)) {
            String name = root.relativize(module).toString();
            for (String kind : List.of("surefire", "failsafe")) {
                for (Path file : list(module.resolve("target/" + kind + "-reports"), "TEST-*.xml")) {
                    if (isOfThisBuild(file, began)) {
                        report.addClass(name, file);
                    }
                }
            }
            for (Path file : list(module.resolve("target/test-record"), "*.record")) {
                if (isOfThisBuild(file, began)) {
                    report.addJvm(name, file);
                }
            }
        }
        return report;
    }

    /** The folders with a pom.xml below the root, and those within them. */
    private static List<Path> modules(Path root) throws IOException {
        try (Stream<Path> folders = Files.walk(root, 2)) {
            return folders.filter(folder -> !folder.equals(root) && Files.isRegularFile(folder.resolve("pom.xml")))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> list(Path folder, String glob) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        try (var entries = Files.newDirectoryStream(folder, glob)) {
            entries.forEach(found::add);
        }
        return found;
    }

    private static boolean isOfThisBuild(Path file, Instant began) throws IOException {
        return !Files.getLastModifiedTime(file).toInstant().isBefore(began);
    }

    private void addClass(String module, Path file) throws IOException, ParserConfigurationException, SAXException {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        Element suite = document.getDocumentElement();
        ModuleTotals totals = modules.computeIfAbsent(module, unused -> new ModuleTotals());
        double seconds = Double.parseDouble(suite.getAttribute("time").replace(",", ""));
        totals.tests += Integer.parseInt(suite.getAttribute("tests"));
        totals.failed +=
                Integer.parseInt(suite.getAttribute("failures")) + Integer.parseInt(suite.getAttribute("errors"));
        totals.skipped += Integer.parseInt(suite.getAttribute("skipped"));
        totals.seconds += seconds;
        String name = suite.getAttribute("name");
        classes.add(new ClassTime(module, name.substring(name.lastIndexOf('.') + 1), seconds));
        NodeList reasons = suite.getElementsByTagName("skipped");
        for (int i = 0; i < reasons.getLength(); i++) {
            skipped.merge(module + ": " + reason((Element) reasons.item(i)), 1, Integer::sum);
        }
    }

    /** Its message, or the first line of its stack trace where an assumption failed. */
    private static String reason(Element skip) {
        String message = skip.getAttribute("message");
        String text = message.isBlank() ? skip.getTextContent() : message;
        return text.lines()
                .map(line -> line.strip().replaceFirst("^[\\w.]+Exception: ", ""))
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("no reason given");
    }

    private void addJvm(String module, Path file) throws IOException {
        Properties record = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            record.load(reader);
        }
        ModuleTotals totals = modules.computeIfAbsent(module, unused -> new ModuleTotals());
        totals.jvms += Long.parseLong(record.getProperty("jvms"));
        long seeds = Long.parseLong(record.getProperty("seeds"));
        totals.seeds += seeds;
        if (seeds > 0) {
            totals.firstSeed = record.getProperty("first");
        }
    }

    void print(PrintStream out) {
        out.println();
        out.printf(
                "%-18s %7s %7s %8s %9s %11s %5s  %s%n",
                "module", "tests", "failed", "skipped", "seconds", "seeds", "JVMs", "first seed");
        modules.forEach((name, totals) -> row(out, name, totals));
        row(out, "all", sum());
        out.println();
        out.println(skipped.isEmpty() ? "Skipped: none" : "Skipped:");
        skipped.forEach((reason, count) -> out.printf("  %4d  %s%n", count, reason));
        out.println("Slowest classes:");
        slowest().forEach(each -> out.printf("  %6.1f s  %s %s%n", each.seconds(), each.module(), each.name()));
        out.println();
    }

    private Stream<ClassTime> slowest() {
        return classes.stream()
                .sorted(comparingDouble(ClassTime::seconds).reversed())
                .limit(SLOWEST);
    }

    private static void row(PrintStream out, String name, ModuleTotals totals) {
        out.printf(
                "%-18s %,7d %,7d %,8d %,9.0f %,11d %,5d  %s%n",
                name,
                totals.tests,
                totals.failed,
                totals.skipped,
                totals.seconds,
                totals.seeds,
                totals.jvms,
                totals.firstSeed);
    }

    private ModuleTotals sum() {
        ModuleTotals sum = new ModuleTotals();
        for (ModuleTotals each : modules.values()) {
            sum.tests += each.tests;
            sum.failed += each.failed;
            sum.skipped += each.skipped;
            sum.seconds += each.seconds;
            sum.seeds += each.seeds;
            sum.jvms += each.jvms;
        }
        return sum;
    }
}
