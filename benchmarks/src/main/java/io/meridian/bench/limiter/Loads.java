package io.meridian.bench.limiter;

import io.meridian.testkit.load.EncodedRequest;
import io.meridian.testkit.load.Keys;
import io.meridian.testkit.load.Workload;
import java.net.URI;
import java.util.function.Function;

/** Request loads of the comparison: the same check for every measured server, with skewed, uniform, fresh or single keys. */
final class Loads {
    static final String CHECK = "/api/v1/rate-limit/check";

    private static final int KEYS = 10_000;
    private static final long SEED = 20_260_101L;
    static final String QUESTION = "{\"attributes\":{\"user_id\":\"u" + EncodedRequest.KEY + "\",\"api_key\":\"k-"
            + EncodedRequest.KEY + "\",\"tenant\":\"acme\"},\"endpoint\":\"/api/v1/users\",\"method\":\"GET\","
            + "\"headers\":{\"x-plan\":\"beta\"},\"cost\":1}";

    private final Function<String, URI> at;
    /** One counter for all: no key is cold twice, whoever is asked about it. */
    private final Keys fresh = Keys.fresh(KEYS);

    /** @param at the address of a path of the measured application */
    Loads(Function<String, URI> at) {
        this.at = at;
    }

    /** Few keys get most of the requests. */
    Workload hot(String name, String path) {
        return Workload.of(name, EncodedRequest.post(at.apply(path), QUESTION), Keys.zipf(KEYS, SEED));
    }

    /** As many keys, all alike: each is asked about now and then. */
    Workload warm(String name, String path) {
        return Workload.of(name, EncodedRequest.post(at.apply(path), QUESTION), Keys.uniform(KEYS, SEED));
    }

    /** Each key is asked about once. */
    Workload cold(String name, String path) {
        return Workload.of(name, EncodedRequest.post(at.apply(path), QUESTION), fresh);
    }

    /** One key gets all. */
    Workload single(String name, String path) {
        return Workload.of(name, EncodedRequest.post(at.apply(path), QUESTION), Keys.one(0));
    }
}
