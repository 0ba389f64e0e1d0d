package io.meridian.config.imports;

/** An import that cannot go on. Nothing of it was imported. */
public final class ImportBroken extends RuntimeException {
    private static final long serialVersionUID = 1;

    ImportBroken(String reason) {
        super(reason + "; nothing of it was imported, send it again");
    }
}
