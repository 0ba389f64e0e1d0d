/** Measurements of each region: its clock skew and its loop delay. */
@NullMarked
package io.meridian.sync.regions;

import org.jspecify.annotations.NullMarked;
