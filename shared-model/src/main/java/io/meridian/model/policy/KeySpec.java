package io.meridian.model.policy;

import io.meridian.model.rule.Rules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/** What a policy counts by: the parts of its key, in order. No part: one counter for all. */
public record KeySpec(List<KeyPart> parts) {
    static final int PARTS_MAX = 8;

    public static final KeySpec ONE_FOR_ALL = new KeySpec(List.of());

    public KeySpec {
        parts = List.copyOf(parts);
        String names = parts.stream().map(KeyPart::attribute).collect(Collectors.joining(", "));
        new Rules()
                .require(parts.size() <= PARTS_MAX, "key", parts.size(), "must have at most " + PARTS_MAX + " parts")
                .require(
                        new LinkedHashSet<>(parts.stream()
                                                .map(KeyPart::attribute)
                                                .toList())
                                        .size()
                                == parts.size(),
                        "key",
                        names,
                        "must not name an attribute twice")
                .throwIfBroken();
    }

    public static KeySpec of(String... parts) {
        return new KeySpec(List.of(parts).stream().map(KeyPart::parse).toList());
    }
}
