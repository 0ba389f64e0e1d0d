package io.meridian.chaos.global;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a replica shows that it was not let commit, or learnt before it tried, that another leads by now. */
final class Refusals {
    private static final Pattern METRIC =
            Pattern.compile("^meridian_sync_fenced_total(?:\\{[^}]*})? (\\S+)$", Pattern.MULTILINE);
    /** Not every word of generations: a replica that merely joins its group again speaks of those too. */
    private static final Pattern LOG =
            Pattern.compile("ProducerFenced|InvalidProducerEpoch|CommitFailed|PRODUCER_FENCED|INVALID_PRODUCER_EPOCH"
                    + "|\\bfenced\\b|has lost its place");

    private Refusals() {}

    /** 0 also where the metric is not there. */
    static double inMetrics(String metrics) {
        double sum = 0;
        for (Matcher found = METRIC.matcher(metrics); found.find(); ) {
            sum += Double.parseDouble(found.group(1));
        }
        return sum;
    }

    static boolean inLog(String log) {
        return LOG.matcher(log).find();
    }
}
