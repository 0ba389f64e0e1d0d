/** Identification of callers: which API key, user and address a raw request comes from, and how far each can be believed. */
@NullMarked
package io.meridian.limiter.caller;

import org.jspecify.annotations.NullMarked;
