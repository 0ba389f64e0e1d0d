/** Identity of callers: access tokens and their scopes, bearer tokens and JWTs, and client addresses behind trusted proxies. */
@NullMarked
package io.meridian.limiter.caller;

import org.jspecify.annotations.NullMarked;
