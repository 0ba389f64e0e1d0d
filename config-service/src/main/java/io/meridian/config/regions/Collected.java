package io.meridian.config.regions;

import io.meridian.model.wire.RegionQueryReply;
import java.util.List;

/**
 * What the regions said to a question.
 *
 * @param answers one of each region that did what was asked, by region
 * @param missing the regions that are known and did not, or not all of whose live instances did
 * @param askedMicros when they were asked
 */
public record Collected(List<RegionQueryReply> answers, List<String> missing, long askedMicros) {
    public Collected {
        answers = List.copyOf(answers);
        missing = List.copyOf(missing);
    }
}
