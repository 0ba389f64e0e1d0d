/** The key secret of a deployment, from the settings of a process. */
@NullMarked
package io.meridian.service.secret;

import org.jspecify.annotations.NullMarked;
