package io.meridian.limiter.api;

import java.io.OutputStream;
import java.util.Arrays;

/** Takes what a generator flushes. Most answers come in one piece, which is copied once and no larger than it is. */
final class BodySink extends OutputStream {
    private byte[] bytes = new byte[0];

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        if (bytes.length == 0) {
            bytes = Arrays.copyOfRange(source, offset, offset + length);
        } else {
            int start = bytes.length;
            bytes = Arrays.copyOf(bytes, start + length);
            System.arraycopy(source, offset, bytes, start, length);
        }
    }

    byte[] bytes() {
        return bytes;
    }
}
