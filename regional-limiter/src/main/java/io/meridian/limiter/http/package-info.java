/** Bytes to values and back: the gate before every call, readers and writers of JSON, headers, and problem documents. */
@NullMarked
package io.meridian.limiter.http;

import org.jspecify.annotations.NullMarked;
