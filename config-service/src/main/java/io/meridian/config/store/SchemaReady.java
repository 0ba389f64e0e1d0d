package io.meridian.config.store;

/** The schema is up to date: from now on PostgreSQL can be asked. */
public record SchemaReady() {}
