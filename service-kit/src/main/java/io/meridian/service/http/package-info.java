/** Problem documents of RFC 9457, and the redaction of callers' text in answers and logs. */
@NullMarked
package io.meridian.service.http;

import org.jspecify.annotations.NullMarked;
