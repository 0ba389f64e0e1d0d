/** Global limits in a whole running world: under load, cut in pieces, with parts killed, frozen and wiped. */
@NullMarked
package io.meridian.chaos.global;

import org.jspecify.annotations.NullMarked;
