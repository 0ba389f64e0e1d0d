package io.meridian.chaos.drill.report;

import io.meridian.chaos.drill.verdict.Lateness;
import io.meridian.chaos.drill.verdict.State;
import io.meridian.chaos.drill.verdict.Verdict;
import java.util.List;

/**
 * The verdict and what it rests on, for programs.
 *
 * @param lateness how late the load was sent
 * @param windows of every policy, in the order of time
 */
record Results(
        String drill,
        String title,
        String startedAt,
        double seconds,
        State verdict,
        int exitCode,
        String sentence,
        Verdict judged,
        Lateness.Summary lateness,
        List<WindowRow> windows) {}
