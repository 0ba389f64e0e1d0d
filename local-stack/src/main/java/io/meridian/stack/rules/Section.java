package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.PolicyJson;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A section of a file: one kind of entry. What an entry refers to stands in a section before its own. */
enum Section {
    TIERS("tier", node -> new RuleEntry.OfTier(EntryJson.tier(node))),
    POLICIES("policy", node -> new RuleEntry.OfPolicy(PolicyJson.read(node))),
    CLIENT_TIERS("client-tier", node -> new RuleEntry.OfClientTier(EntryJson.clientTier(node))),
    OVERRIDES("override", node -> new RuleEntry.OfOverride(EntryJson.override(node))),
    ALLOW_LIST("allow", node -> new RuleEntry.OfList(ListKind.ALLOW, EntryJson.listEntry(node))),
    DENY_LIST("deny", node -> new RuleEntry.OfList(ListKind.DENY, EntryJson.listEntry(node))),
    /** Of one entry: the table, whose steps are the section. */
    ADAPTIVE("adaptive", node -> new RuleEntry.OfAdaptive(EntryJson.adaptive(node)));

    static final List<Section> ALL = List.of(values());

    private final String kind;
    private final Function<JsonNode, RuleEntry> reader;

    Section(String kind, Function<JsonNode, RuleEntry> reader) {
        this.kind = kind;
        this.reader = reader;
    }

    static Section of(RuleEntry.Key key) {
        if (key instanceof RuleEntry.Key.OfPolicy) {
            return POLICIES;
        } else if (key instanceof RuleEntry.Key.OfTier) {
            return TIERS;
        } else if (key instanceof RuleEntry.Key.OfClientTier) {
            return CLIENT_TIERS;
        } else if (key instanceof RuleEntry.Key.OfOverride) {
            return OVERRIDES;
        } else if (key instanceof RuleEntry.Key.OfList line) {
            return line.list() == ListKind.ALLOW ? ALLOW_LIST : DENY_LIST;
        }
        return ADAPTIVE;
    }

    /** As files name it: {@code client_tiers}. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As the admin API names it: {@code client-tiers}. */
    String path() {
        return title().replace('_', '-');
    }

    /** As the admin API calls one entry of it: {@code client-tier}. */
    String kind() {
        return kind;
    }

    RuleEntry read(JsonNode document) {
        return reader.apply(document);
    }
}
