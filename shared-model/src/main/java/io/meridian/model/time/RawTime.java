package io.meridian.model.time;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a class that may read a raw clock; the build fails wherever else one is read. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface RawTime {}
