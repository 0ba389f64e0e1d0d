/** Filters of web frameworks that check each request before it is served, and the answers that they give. */
@NullMarked
package io.meridian.client.filter;

import org.jspecify.annotations.NullMarked;
