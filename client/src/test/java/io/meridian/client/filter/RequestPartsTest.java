package io.meridian.client.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPartsTest {
    @ParameterizedTest
    @CsvSource({"/export, /export", "/export;x=1, /export", "/a;b=c/export;x, /a/export", "/, /"})
    void a_path_is_checked_without_its_parameters(String raw, String path) {
        assertThat(RequestParts.path(raw)).isEqualTo(path);
    }

    @ParameterizedTest
    @CsvSource({"203.0.113.9, 203.0.113.9", "[::1], ::1", "fe80::1%eth0, fe80::1", "[fe80::1%2], fe80::1"})
    void an_address_is_checked_without_brackets_and_zone(String text, String address) {
        assertThat(RequestParts.address(text)).isEqualTo(address);
    }
}
