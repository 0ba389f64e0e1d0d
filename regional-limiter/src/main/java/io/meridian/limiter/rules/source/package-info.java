/** Sources of the rules: a file, the topic of policies, the last known good copy on disk, and the built-in defaults. */
@NullMarked
package io.meridian.limiter.rules.source;

import org.jspecify.annotations.NullMarked;
