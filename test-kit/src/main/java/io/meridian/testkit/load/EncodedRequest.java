package io.meridian.testkit.load;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** HTTP/1.1 request that is encoded once; only the digits of its key differ from one sending to the next. */
public final class EncodedRequest {
    /** Stands in a body wherever the key goes. */
    public static final String KEY = "##########";

    private final InetSocketAddress target;
    private final byte[] encoded;
    private final int[] slots;

    private EncodedRequest(URI uri, String method, String headers, String body) {
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        String text =
                method + " " + uri.getRawPath() + query + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + body;
        target = new InetSocketAddress(uri.getHost(), uri.getPort());
        encoded = text.getBytes(StandardCharsets.US_ASCII);
        slots = IntStream.range(0, text.length())
                .filter(at -> text.startsWith(KEY, at))
                .toArray();
    }

    public static EncodedRequest get(URI uri) {
        return new EncodedRequest(uri, "GET", "", "");
    }

    public static EncodedRequest post(URI uri, String json) {
        String headers = "Content-Type: application/json\r\nAccept: application/json\r\nContent-Length: "
                + json.length() + "\r\n";
        return new EncodedRequest(uri, "POST", headers, json);
    }

    InetSocketAddress target() {
        return target;
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
