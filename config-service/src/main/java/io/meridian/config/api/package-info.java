/** The admin API: parsing of requests, authorization, answers and problem documents. */
@NullMarked
package io.meridian.config.api;

import org.jspecify.annotations.NullMarked;
