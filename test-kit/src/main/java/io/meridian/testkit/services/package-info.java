/** Services of the product as processes of a test, from their built applications, and the page of their metrics. */
@NullMarked
package io.meridian.testkit.services;

import org.jspecify.annotations.NullMarked;
