package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.rule.InvalidException;
import io.meridian.model.rulebook.Change;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.EntryKey;
import org.jspecify.annotations.Nullable;

/**
 * The records of the policies topic: the key by which it is compacted, and the entry as JSON with the version of the
 * format first; no value removes. Reading takes no offence at fields it does not know, as {@link PolicyCodec}.
 */
public final class EntryCodec {
    private static final String FORMAT = "format";
    private static final int VERSION = 1;

    private EntryCodec() {}

    public static String key(EntryKey key) {
        return EntryKeyText.write(key);
    }

    /** What a key is of: one of a few words, whatever the key is. */
    public static String kind(String key) {
        return EntryKeyText.kind(key);
    }

    public static String value(Entry entry) {
        ObjectNode record = JsonNodeFactory.instance.objectNode().put(FORMAT, VERSION);
        if (entry instanceof Entry.OfPolicy policy) {
            return PolicyCodec.encode(policy.policy());
        } else if (entry instanceof Entry.OfTier tier) {
            EntryWriter.write(tier.tier(), record);
        } else if (entry instanceof Entry.OfClientTier client) {
            EntryWriter.write(client.clientTier(), record);
        } else if (entry instanceof Entry.OfOverride override) {
            EntryWriter.write(override.override(), record);
        } else if (entry instanceof Entry.OfList line) {
            EntryWriter.write(line.entry(), record);
        } else if (entry instanceof Entry.OfAdaptive adaptive) {
            EntryWriter.write(adaptive.table(), record);
        }
        return record.toString();
    }

    /** Reads a record; a {@link WireException} says why it cannot be read. */
    public static Change decode(String key, @Nullable String value) {
        EntryKey entryKey = EntryKeyText.read(key);
        if (value == null) {
            return new Change.Removed(entryKey);
        }
        try {
            Entry entry = entry(entryKey, value);
            if (!entry.key().equals(entryKey)) {
                throw new WireException("record " + key + " must not be of " + EntryKeyText.write(entry.key()));
            }
            return new Change.Put(entry);
        } catch (InvalidException | MalformedException unreadable) {
            throw new WireException("record " + key + ": " + unreadable.getMessage(), unreadable);
        }
    }

    private static Entry entry(EntryKey key, String value) {
        if (key instanceof EntryKey.OfPolicy) {
            return new Entry.OfPolicy(PolicyCodec.decode(value));
        }
        JsonNode record = PolicyJson.tree(value);
        int version = record.path(FORMAT).asInt(0);
        if (version < 1 || version > VERSION) {
            throw new WireException("record format must be from 1 to " + VERSION + ", got " + record.path(FORMAT));
        }
        if (key instanceof EntryKey.OfTier) {
            return new Entry.OfTier(EntryReader.tier(record, false));
        }
        if (key instanceof EntryKey.OfClientTier) {
            return new Entry.OfClientTier(EntryReader.clientTier(record, false));
        }
        if (key instanceof EntryKey.OfOverride) {
            return new Entry.OfOverride(EntryReader.override(record, false));
        }
        if (key instanceof EntryKey.OfList line) {
            return new Entry.OfList(line.list(), EntryReader.listEntry(record, false));
        }
        return new Entry.OfAdaptive(EntryReader.adaptive(record, false));
    }
}
