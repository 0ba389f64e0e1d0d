package io.meridian.limiter.api;

import io.vertx.core.http.HttpServerResponse;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

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

    List<String> names() {
        return IntStream.range(0, size / 2)
                .mapToObj(i -> namesAndValues[2 * i].toString())
                .toList();
    }

    void writeTo(HttpServerResponse response) {
        for (int i = 0; i < size; i += 2) {
            response.putHeader(namesAndValues[i], namesAndValues[i + 1]);
        }
    }
}
