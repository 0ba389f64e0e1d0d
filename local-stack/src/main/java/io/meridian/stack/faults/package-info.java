/**
 * Faults on a TCP link, for drills: a proxy that refuses, swallows, delays or resets one link, steered from Java or over
 * the part of Toxiproxy's HTTP API that covers these faults.
 */
@NullMarked
package io.meridian.stack.faults;

import org.jspecify.annotations.NullMarked;
