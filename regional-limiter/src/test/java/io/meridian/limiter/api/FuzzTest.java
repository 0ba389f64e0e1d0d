package io.meridian.limiter.api;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

@QuarkusTest
@TestProfile(WithFakeLimiter.class)
class FuzzTest extends FuzzContract {}
