package io.meridian.limiter.redis;

import io.vertx.core.buffer.Buffer;

/**
 * Field of a fixed-size record that Java and a script exchange: a big-endian whole number. Java writes and reads it by its width, and
 * {@link ScriptConstants} states the record to Lua as a format of its struct library, so that both sides have one definition.
 */
interface PackedField {
    Width width();

    default void append(Buffer packed, long value) {
        width().append(packed, value);
    }

    /** Format of a record of these fields, in their order. */
    static String format(PackedField... fields) {
        StringBuilder format = new StringBuilder(">");
        for (PackedField field : fields) {
            format.append(field.width().format);
        }
        return format.toString();
    }

    /** Bytes of a record of these fields. */
    static int bytes(PackedField... fields) {
        int bytes = 0;
        for (PackedField field : fields) {
            bytes += field.width().bytes;
        }
        return bytes;
    }

    /** Size of a field, and its name in Lua's struct library. {@link #S64} is a number that may be negative. */
    enum Width {
        U8("B", Byte.BYTES),
        U16("I2", Short.BYTES),
        U32("I4", Integer.BYTES),
        U48("I6", Short.BYTES + Integer.BYTES),
        U64("I8", Long.BYTES),
        S64("i8", Long.BYTES);

        private final String format;
        private final int bytes;

        Width(String format, int bytes) {
            this.format = format;
            this.bytes = bytes;
        }

        int bytes() {
            return bytes;
        }

        private void append(Buffer packed, long value) {
            switch (this) {
                case U8 -> packed.appendByte((byte) value);
                case U16 -> packed.appendShort((short) value);
                case U32 -> packed.appendInt((int) value);
                case U48 -> packed.appendShort((short) (value >>> Integer.SIZE)).appendInt((int) value);
                case U64, S64 -> packed.appendLong(value);
            }
        }

        long read(Buffer packed, int at) {
            return switch (this) {
                case U8 -> packed.getUnsignedByte(at);
                case U16 -> packed.getUnsignedShort(at);
                case U32 -> packed.getUnsignedInt(at);
                case U48 ->
                    ((long) packed.getUnsignedShort(at) << Integer.SIZE) | packed.getUnsignedInt(at + Short.BYTES);
                case U64, S64 -> packed.getLong(at);
            };
        }
    }

    /** Reader of records, one field after another. */
    final class Cursor {
        private final Buffer packed;
        private int at;

        Cursor(Buffer packed, int from) {
            this.packed = packed;
            this.at = from;
        }

        long next(PackedField field) {
            long value = field.width().read(packed, at);
            at += field.width().bytes;
            return value;
        }
    }
}
