package io.meridian.limiter.api;

import io.vertx.core.http.HttpServerResponse;
import java.util.Arrays;

/** The headers of one answer, in order: few, so a flat array does. */
final class HeaderList {
    private CharSequence[] namesAndValues = new CharSequence[16];
    private int size;

    HeaderList add(CharSequence name, CharSequence value) {
        if (size == namesAndValues.length) {
            namesAndValues = Arrays.copyOf(namesAndValues, 2 * size);
        }
        namesAndValues[size++] = name;
        namesAndValues[size++] = value;
        return this;
    }

    void writeTo(HttpServerResponse response) {
        for (int i = 0; i < size; i += 2) {
            response.putHeader(namesAndValues[i], namesAndValues[i + 1]);
        }
    }
}
