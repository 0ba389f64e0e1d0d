package io.meridian.limiter.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * What shows from outside that a file changed: in place, by a rename over it, or by a link that now leads elsewhere.
 *
 * @param identity the file itself, where the file system can tell
 */
record FileStamp(String identity, long modifiedNanos, long size) {
    static final FileStamp MISSING = new FileStamp("", 0, -1);

    static FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(
                    String.valueOf(attributes.fileKey()),
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    attributes.size());
        } catch (IOException absent) {
            return MISSING;
        }
    }
}
