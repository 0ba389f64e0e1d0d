package io.meridian.model.aggregate;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.WindowRule;

/**
 * What was admitted of an ended window above its limit, and what became of it.
 *
 * @param total what all regions used
 * @param excess what of it is above the limit
 * @param grown by how much the excess is more than was told before
 * @param carried what of the excess the next window pays
 */
public record Overshoot(LimitWindow limit, WindowRule rule, long total, long excess, long grown, long carried) {}
