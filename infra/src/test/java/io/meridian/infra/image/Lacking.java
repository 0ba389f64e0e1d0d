package io.meridian.infra.image;

/** How a service says that its Java has too few modules, or its C library too few files. */
final class Lacking {
    static final String[] SIGNS = {
        "NoClassDefFoundError",
        "ClassNotFoundException",
        "UnsatisfiedLinkError",
        "NoSuchProviderException",
        "NoSuchAlgorithm"
    };

    private Lacking() {}
}
