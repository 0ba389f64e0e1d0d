package io.meridian.model.wire;

import io.meridian.model.policy.AfterHeal;
import io.meridian.model.usage.Sharing;
import io.meridian.model.usage.WindowRule;

/** The rule of a window within a record; where its fields are is the record's affair. */
final class RuleFields {
    private RuleFields() {}

    static void write(Fields.Writer writer, int from, WindowRule rule) {
        writer.number(from, rule.limit())
                .number(from + 1, rule.windowMicros())
                .number(from + 2, rule.sharing().code())
                .number(from + 3, rule.afterHeal().code());
    }

    static WindowRule read(Fields fields, int version, int from) {
        return new WindowRule(
                fields.number(version),
                fields.number(from),
                fields.number(from + 1),
                Sharing.ofCode(fields.number(from + 2)),
                AfterHeal.ofCode(fields.number(from + 3)));
    }
}
