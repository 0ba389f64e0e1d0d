/** Made-up histories of drills, for tests. */
@NullMarked
package io.meridian.drill.sample;

import org.jspecify.annotations.NullMarked;
