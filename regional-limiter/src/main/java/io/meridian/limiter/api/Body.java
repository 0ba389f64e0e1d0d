package io.meridian.limiter.api;

/** The bytes of a call's body, as they came. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Body(byte[] bytes) {}
