/** What the outside calls: REST in, decisions and problem documents out. Parses, asks the limiter, answers. */
@NullMarked
package io.meridian.limiter.api;

import org.jspecify.annotations.NullMarked;
