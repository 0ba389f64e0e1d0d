package io.meridian.config.history;

import java.util.Optional;

/** Which usage or violations are asked for. */
public record HistoryFilter(TimeRange range, Optional<String> policy, Optional<String> key, Optional<String> region) {}
