package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The records between limiters and the centre, as JSON: they are few and small, and people read them when something is
 * wrong. The version of the format comes first; fields that a reader does not know are no offence. All times are
 * microseconds since 1970.
 */
public final class CentreCodec {
    private static final String FORMAT = "format";
    private static final int VERSION = 1;

    private CentreCodec() {}

    public static String encode(InstanceReport report) {
        ObjectNode record = record().put("region", report.region())
                .put("instance", report.instance())
                .put("revision", report.revision())
                .put("origin", report.origin())
                .put("confirmed_micros", report.confirmedMicros())
                .put("at_micros", report.atMicros())
                .put("region_micros", report.regionMicros());
        if (!report.loop().equals(InstanceReport.Loop.NONE)) {
            record.put("loop_p50_micros", report.loop().p50Micros())
                    .put("loop_p99_micros", report.loop().p99Micros())
                    .put("loop_max_micros", report.loop().maxMicros())
                    .put("centre_silent_micros", report.loop().silentMicros())
                    .put("excess_units", report.loop().excessUnits());
        }
        if (!report.keyCheck().isEmpty()) {
            record.put("key_check", report.keyCheck());
        }
        return record.toString();
    }

    public static InstanceReport report(String text) {
        return decode("report", text, fields -> {
            fields.require("region", "instance", "revision", "origin");
            fields.rules().throwIfBroken();
            return new InstanceReport(
                    fields.text("region", ""),
                    fields.text("instance", ""),
                    fields.number("revision", 0),
                    fields.text("origin", ""),
                    fields.number("confirmed_micros", 0),
                    fields.number("at_micros", 0),
                    fields.number("region_micros", 0),
                    new InstanceReport.Loop(
                            fields.number("loop_p50_micros", 0),
                            fields.number("loop_p99_micros", 0),
                            fields.number("loop_max_micros", 0),
                            fields.number("centre_silent_micros", 0),
                            fields.number("excess_units", 0)),
                    fields.text("key_check", ""));
        });
    }

    public static String encode(RegionQuery question) {
        ObjectNode record = record().put("id", question.id()).put("kind", EnumNames.text(question.kind()));
        ObjectNode attributes = record.putObject("attributes");
        new TreeMap<>(question.attributes()).forEach(attributes::put);
        return record.put("endpoint", question.endpoint())
                .put("method", question.method())
                .put("asked_micros", question.askedMicros())
                .put("expires_micros", question.expiresMicros())
                .toString();
    }

    public static RegionQuery question(String text) {
        return decode("question", text, fields -> {
            fields.require("id", "kind", "attributes", "asked_micros", "expires_micros");
            RegionQuery.Kind kind = fields.choice(
                    "kind", RegionQuery.Kind.class, RegionQuery.Kind.STATUS, RegionQuery.Kind.STATUS);
            fields.rules().throwIfBroken();
            return new RegionQuery(
                    fields.text("id", ""),
                    kind,
                    fields.texts("attributes"),
                    fields.text("endpoint", ""),
                    fields.text("method", ""),
                    fields.number("asked_micros", 0),
                    fields.number("expires_micros", 0));
        });
    }

    public static String encode(RegionQueryReply answer) {
        ObjectNode record = record().put("question", answer.questionId())
                .put("region", answer.region())
                .put("instance", answer.instance());
        ArrayNode limits = record.putArray("limits");
        for (RegionQueryReply.Standing each : answer.limits()) {
            limits.addObject()
                    .put("policy", each.policy())
                    .put("key", each.key())
                    .put("scope", EnumNames.text(each.scope()))
                    .put("limit", each.limit())
                    .put("remaining", each.remaining())
                    .put("used", each.used())
                    .put("reset_at_micros", each.resetAtMicros());
        }
        return record.put("failed", answer.failed()).toString();
    }

    public static RegionQueryReply answer(String text) {
        return decode("answer", text, fields -> {
            fields.require("question", "region", "instance");
            ArrayList<RegionQueryReply.Standing> limits = new ArrayList<>();
            fields.objects("limits").forEach(each -> limits.add(standing(each)));
            String failed = fields.text("failed", "");
            fields.rules().throwIfBroken();
            return new RegionQueryReply(
                    fields.text("question", ""),
                    fields.text("region", ""),
                    fields.text("instance", ""),
                    limits,
                    failed.isEmpty() ? null : failed);
        });
    }

    private static RegionQueryReply.Standing standing(JsonFields fields) {
        fields.require("policy", "limit", "remaining", "used");
        return new RegionQueryReply.Standing(
                fields.text("policy", ""),
                fields.text("key", ""),
                fields.choice("scope", Scope.class, Scope.REGIONAL, Scope.REGIONAL),
                fields.number("limit", 0),
                fields.number("remaining", 0),
                fields.number("used", 0),
                fields.number("reset_at_micros", 0));
    }

    private static ObjectNode record() {
        return JsonNodeFactory.instance.objectNode().put(FORMAT, VERSION);
    }

    private static <T> T decode(String what, String text, Function<JsonFields, T> reader) {
        try {
            JsonNode record = PolicyJson.tree(text);
            int version = record.path(FORMAT).asInt(0);
            if (version < 1 || version > VERSION) {
                throw new WireException(what + " format must be from 1 to " + VERSION + ", got " + record.path(FORMAT));
            }
            JsonFields fields = new JsonFields(record, "", new Validator(), new ArrayList<>());
            T read = reader.apply(fields);
            fields.rules().throwIfBroken();
            return read;
        } catch (ValidationException | MalformedException unreadable) {
            throw new WireException(what + ": " + unreadable.getMessage(), unreadable);
        }
    }
}
