package io.meridian.model.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Numbered fields in protobuf's encoding, the first of them the version. A field added later is skipped by an older
 * reader and is its default for a newer reader of an older record; what cannot be read that way gets a new version.
 */
final class ProtoFields {
    private static final int VERSION_FIELD = 1;

    /** Fields from this number on are not ours yet. */
    private static final int FIELDS_MAX = 16;

    private final long[] numbers = new long[FIELDS_MAX];
    private final ByteString[] texts = new ByteString[FIELDS_MAX];

    static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

        Writer(int version) {
            number(VERSION_FIELD, version);
        }

        /** Writes a number; zero, the default, takes no space. */
        Writer number(int field, long value) {
            try {
                if (value != 0) {
                    out.writeInt64(field, value);
                }
                return this;
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        Writer text(int field, String value) {
            try {
                out.writeString(field, value);
                return this;
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        byte[] bytes() {
            try {
                out.flush();
                return bytes.toByteArray();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    static ProtoFields read(byte[] bytes, String what, int newestVersion) {
        ProtoFields fields = new ProtoFields();
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                fields.read(in, tag);
            }
        } catch (IOException malformed) {
            throw new WireException("malformed " + what + " of " + bytes.length + " bytes", malformed);
        }
        long version = fields.number(VERSION_FIELD);
        if (version < 1 || version > newestVersion) {
            throw new WireException(what + " version must be from 1 to " + newestVersion + ", got " + version);
        }
        return fields;
    }

    private void read(CodedInputStream in, int tag) throws IOException {
        int field = WireFormat.getTagFieldNumber(tag);
        int type = WireFormat.getTagWireType(tag);
        if (field < FIELDS_MAX && type == WireFormat.WIRETYPE_VARINT) {
            numbers[field] = in.readInt64();
        } else if (field < FIELDS_MAX && type == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
            texts[field] = in.readBytes();
        } else {
            in.skipField(tag);
        }
    }

    long number(int field) {
        return numbers[field];
    }

    String text(int field) {
        ByteString bytes = texts[field];
        if (bytes == null) {
            return "";
        }
        if (!bytes.isValidUtf8()) {
            throw new WireException("field " + field + " must be UTF-8");
        }
        return bytes.toStringUtf8();
    }
}
