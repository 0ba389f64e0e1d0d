package io.meridian.config.rulebook;

/** The rulebook is at a new revision, which Kafka has yet to be told. */
public record RulebookChanged(long revision) {}
