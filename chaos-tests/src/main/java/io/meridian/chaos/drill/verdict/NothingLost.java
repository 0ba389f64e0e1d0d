package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.UsageTold;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * In the end the usage topic tells, of every window and region, what was admitted there; {@link ToldWindow} says what may differ. A check of
 * safety.
 */
record NothingLost() implements Checker {
    private record Place(String policy, long windowEndMicros, String region) {}

    @Override
    public String name() {
        return "nothing lost";
    }

    @Override
    public Finding check(History history) {
        Map<Place, Long> told = told(history);
        if (told.isEmpty()) {
            return Finding.unknown("The usage topic was not read, or told of nothing.");
        }
        Timeline timeline = new Timeline(history);
        Lateness lateness = new Lateness(history);
        List<ToldWindow> windows = history.subjects().stream()
                .flatMap(subject -> compared(history, timeline, lateness, subject, told))
                .toList();
        if (windows.isEmpty()) {
            return Finding.unknown("No check was decided, so there was nothing to lose.");
        }
        return finding(windows);
    }

    /** What was told last. */
    private static Map<Place, Long> told(History history) {
        Map<Place, Long> last = new HashMap<>();
        history.of(UsageTold.class)
                .forEach(usage ->
                        last.put(new Place(usage.policy(), usage.windowEndMicros(), usage.region()), usage.used()));
        return last;
    }

    private static Stream<ToldWindow> compared(
            History history, Timeline timeline, Lateness lateness, Subject subject, Map<Place, Long> told) {
        SubjectWindows windows = new SubjectWindows(history, timeline, subject);
        return windows.all().stream()
                .flatMap(window -> history.regions().stream().map(region -> {
                    Place place = new Place(subject.policy(), window.endMicros(), region);
                    return ToldWindow.of(
                            subject, window, region, windows, timeline, lateness, told.getOrDefault(place, 0L));
                }));
    }

    private static Finding finding(List<ToldWindow> windows) {
        long exact = windows.stream().filter(ToldWindow::exact).count();
        List<ToldWindow> wrong =
                windows.stream().filter(window -> !window.kept()).toList();
        long tolerated = windows.size() - exact - wrong.size();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("windows", windows.size());
        figures.put("exact", exact);
        figures.put("tolerated", tolerated);
        figures.put("wrong", wrong.size());
        figures.put("admitted", windows.stream().mapToLong(ToldWindow::admitted).sum());
        figures.put("told", windows.stream().mapToLong(ToldWindow::told).sum());
        String counts = "%d of %d windows of regions told to the unit".formatted(exact, windows.size())
                + (tolerated > 0 ? ", %d off by what can be explained".formatted(tolerated) : "");
        String worst = wrong.stream()
                .max(Comparator.comparingLong(window -> Math.abs(window.off())))
                .map(window -> "; %d wrong, worst: %s".formatted(wrong.size(), window.words()))
                .orElse("");
        return Finding.of(wrong.isEmpty(), counts + worst + ".", figures);
    }
}
