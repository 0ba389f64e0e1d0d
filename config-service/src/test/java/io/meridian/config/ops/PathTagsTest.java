package io.meridian.config.ops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTagsTest {
    @ParameterizedTest
    @CsvSource({
        "/admin/api/v1/policies, /admin/api/v1/policies",
        "/admin/api/v1/policies/{id:.+}, /admin/api/v1/policies/{id}",
        "/admin/api/v1/deny-list/ip:192.0.2.0/24, /admin/api/v1/deny-list/{id}",
        "/admin/api/v1/5e5e5e5e, other",
        "/admin/api/v1/mrd_secret/policies, other",
        "//admin/api/v1/policies, other",
        "/anything, other",
        "'', other",
        "NOT_FOUND, NOT_FOUND",
        "/q/metrics, /q/metrics"
    })
    void a_path_is_known_by_its_collection_only(String path, String tag) {
        assertThat(PathTags.bounded(path)).isEqualTo(tag);
    }
}
