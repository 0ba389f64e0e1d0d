package io.meridian.config.history.whatif;

import io.meridian.config.history.TimeRange;
import java.util.List;

/**
 * What a draft would have done.
 *
 * @param basis the policy whose recorded usage was replayed
 * @param clients those with the most denied requests
 * @param assumptions what the answer rests on, for people
 */
public record WhatIfAnswer(
        TimeRange range,
        String basis,
        long requests,
        long denied,
        int keys,
        List<Client> clients,
        List<String> assumptions) {
    /** The share of requests that would have been denied. */
    public double share() {
        return requests == 0 ? 0 : (double) denied / requests;
    }
}
