package io.meridian.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** A request encoded once; only the digits of its key differ from one sending to the next. */
public final class Request {
    /** Stands in a body wherever the key goes. */
    public static final String KEY = "##########";

    private final byte[] encoded;
    private final int[] slots;

    private Request(String text) {
        encoded = text.getBytes(StandardCharsets.US_ASCII);
        slots = IntStream.range(0, text.length())
                .filter(at -> text.startsWith(KEY, at))
                .toArray();
    }

    public static Request post(String path, String json) {
        return new Request("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Accept: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json);
    }

    void write(long key, ByteBuffer into) {
        int start = into.position();
        into.put(encoded);
        for (int slot : slots) {
            long rest = key;
            for (int digit = start + slot + KEY.length() - 1; digit >= start + slot; digit--) {
                into.put(digit, (byte) ('0' + rest % 10));
                rest /= 10;
            }
        }
    }
}
