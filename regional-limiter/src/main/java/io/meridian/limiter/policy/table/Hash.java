package io.meridian.limiter.policy.table;

import io.meridian.model.hash.SipHash;
import java.security.SecureRandom;

/**
 * The hash of identifiers in tables, under a key of this process: nobody can choose identifiers that crowd one place and make it slow to look for
 * what is not there. Nothing outside the process depends on it.
 */
final class Hash {
    private static final SipHash OF_THIS_PROCESS = random();

    private Hash() {}

    static long of(byte[] bytes, int from, int length) {
        return OF_THIS_PROCESS.of(bytes, from, length);
    }

    private static SipHash random() {
        SecureRandom random = new SecureRandom();
        return new SipHash(random.nextLong(), random.nextLong());
    }
}
