/** Where rules come from: a file, the policies topic, the last known good copy, and what is built in. */
@NullMarked
package io.meridian.limiter.policy.source;

import org.jspecify.annotations.NullMarked;
