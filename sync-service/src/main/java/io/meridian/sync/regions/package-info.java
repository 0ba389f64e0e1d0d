/** What is known of each region: how far its clock is off, and how long it waits for a verdict. */
@NullMarked
package io.meridian.sync.regions;

import org.jspecify.annotations.NullMarked;

