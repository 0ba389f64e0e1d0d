package io.meridian.bench.limiter;

import io.meridian.bench.load.Keys;
import io.meridian.bench.load.Load;
import io.meridian.bench.load.Request;

/** What is asked: the same question of everything that answers, for keys as they come to a limiter. */
final class Loads {
    static final String CHECK = "/api/v1/rate-limit/check";

    private static final int KEYS = 10_000;
    private static final long SEED = 20_260_101L;
    static final String QUESTION = "{\"attributes\":{\"user_id\":\"u" + Request.KEY + "\",\"api_key\":\"k-"
            + Request.KEY + "\",\"tenant\":\"acme\"},\"endpoint\":\"/api/v1/users\",\"method\":\"GET\","
            + "\"headers\":{\"x-plan\":\"beta\"},\"cost\":1}";

    /** One counter for all: no key is cold twice, whoever is asked about it. */
    private final Keys fresh = Keys.fresh(KEYS);

    /** Few keys get most of the requests. */
    Load hot(String name, String path) {
        return new Load(name, Request.post(path, QUESTION), Keys.zipf(KEYS, SEED));
    }

    /** As many keys, all alike: each is asked about now and then. */
    Load warm(String name, String path) {
        return new Load(name, Request.post(path, QUESTION), Keys.uniform(KEYS, SEED));
    }

    /** Each key is asked about once. */
    Load cold(String name, String path) {
        return new Load(name, Request.post(path, QUESTION), fresh);
    }

    /** One key gets all. */
    Load single(String name, String path) {
        return new Load(name, Request.post(path, QUESTION), Keys.one(0));
    }
}
