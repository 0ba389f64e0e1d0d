package io.meridian.testkit.load;

import java.util.function.LongFunction;

/**
 * Requests of a load.
 *
 * @param name for errors and reports
 * @param requests the n-th request, from 0 on; called by the generator's thread alone
 * @param keys the key of each request, which stands where the request has a place for it
 */
public record Workload(String name, LongFunction<EncodedRequest> requests, Keys keys) {
    /** One kind of request, for these keys. */
    public static Workload of(String name, EncodedRequest request, Keys keys) {
        return new Workload(name, number -> request, keys);
    }

    public static Workload of(String name, LongFunction<EncodedRequest> requests) {
        return new Workload(name, requests, Keys.one(0));
    }
}
