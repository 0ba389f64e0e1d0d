/** Tests of the content and the start of images. */
@NullMarked
package io.meridian.infra.image;

import org.jspecify.annotations.NullMarked;
