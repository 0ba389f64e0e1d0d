package io.meridian.limiter.api;

import io.meridian.service.http.Problem;

/** One element of a batch: a check to make, or why it cannot be made. Each stands alone. */
sealed interface BatchItem {
    record Legible(CheckCall call) implements BatchItem {}

    record Illegible(Problem problem) implements BatchItem {}
}
