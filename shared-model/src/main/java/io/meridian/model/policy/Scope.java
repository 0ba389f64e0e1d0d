package io.meridian.model.policy;

/** Whether each region counts for itself or all regions together. */
public enum Scope {
    REGIONAL,
    GLOBAL
}
