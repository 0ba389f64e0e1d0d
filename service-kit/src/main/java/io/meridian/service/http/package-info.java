/** Problem documents of RFC 9457, and how callers' text is shown in answers and logs. */
@NullMarked
package io.meridian.service.http;

import org.jspecify.annotations.NullMarked;
