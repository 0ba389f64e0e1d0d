/** Commands of the admin API: they need an address and a token, and nothing of the repository. */
@NullMarked
package io.meridian.stack.admin;

import org.jspecify.annotations.NullMarked;
