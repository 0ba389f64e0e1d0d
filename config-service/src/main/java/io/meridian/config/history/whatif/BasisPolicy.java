package io.meridian.config.history.whatif;

/**
 * The policy whose recorded usage is replayed.
 *
 * @param cost what it charged a request
 */
record BasisPolicy(String policy, long cost) {}
