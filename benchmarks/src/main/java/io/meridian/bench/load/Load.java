package io.meridian.bench.load;

/** What is sent: one kind of request, for these keys. */
public record Load(String name, Request request, Keys keys) {}
