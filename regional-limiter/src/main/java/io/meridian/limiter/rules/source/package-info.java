/** Where rules come from: a file, the policies topic, the last known good copy, and what is built in. */
@NullMarked
package io.meridian.limiter.rules.source;

import org.jspecify.annotations.NullMarked;
