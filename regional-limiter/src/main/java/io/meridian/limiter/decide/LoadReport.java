package io.meridian.limiter.decide;

/** Where a region's load is reported to: what adaptive limits scale with. */
public interface LoadReport {
    /** Takes a load from 0 to 100 percent. */
    void report(int percent);
}
