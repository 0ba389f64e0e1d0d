package io.meridian.model.decide;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.match.Limit;

/** A limit of a check, and the counter it meets. */
public record Charge(Limit limit, CounterState state) {}
