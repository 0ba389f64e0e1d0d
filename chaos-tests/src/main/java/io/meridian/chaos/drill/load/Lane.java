package io.meridian.chaos.drill.load;

import io.meridian.chaos.drill.history.Subject;

/** What one region is asked about one subject. */
public record Lane(String region, Subject subject) {}
