package io.meridian.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What the generator needs to know of a response: that it is whole, and its status. */
final class Response {
    static final int INCOMPLETE = 0;

    private static final byte[] END_OF_HEADERS = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "\r\ncontent-length:".getBytes(StandardCharsets.US_ASCII);
    private static final int STATUS_AT = "HTTP/1.1 ".length();

    private Response() {}

    /** The status of the response before the buffer's position, or {@link #INCOMPLETE}. */
    static int status(ByteBuffer received) {
        int end = received.position();
        int headersEnd = find(END_OF_HEADERS, received, end);
        if (headersEnd < 0) {
            return INCOMPLETE;
        }
        int whole = headersEnd + END_OF_HEADERS.length + contentLength(received, headersEnd);
        if (end > whole) {
            throw new IllegalStateException("A response is longer than it says: " + end + " bytes, not " + whole);
        }
        return end < whole ? INCOMPLETE : number(received, STATUS_AT);
    }

    private static int contentLength(ByteBuffer received, int end) {
        int at = find(LENGTH, received, end);
        if (at < 0) {
            throw new IllegalStateException("A response does not say its length");
        }
        int digits = at + LENGTH.length;
        while (received.get(digits) == ' ') {
            digits++;
        }
        return number(received, digits);
    }

    private static int number(ByteBuffer received, int from) {
        int number = 0;
        for (int at = from; isDigit(received.get(at)); at++) {
            number = number * 10 + received.get(at) - '0';
        }
        return number;
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    private static int find(byte[] sought, ByteBuffer received, int end) {
        for (int at = 0; at <= end - sought.length; at++) {
            if (startsWith(sought, received, at)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean startsWith(byte[] sought, ByteBuffer received, int at) {
        for (int i = 0; i < sought.length; i++) {
            if (lowerCase(received.get(at + i)) != sought[i]) {
                return false;
            }
        }
        return true;
    }

    private static int lowerCase(byte character) {
        return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
    }
}
