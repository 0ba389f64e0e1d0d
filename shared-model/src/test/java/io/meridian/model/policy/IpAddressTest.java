package io.meridian.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.validation.ValidationException;
import io.meridian.testkit.Histories;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
    @ParameterizedTest
    @CsvSource({
        "203.0.113.9, 203.0.113.9",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
        "2001:0db8::0001, 2001:db8::1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "fe80:0:0:1:0:0:0:1, fe80:0:0:1::1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "::ffff:203.0.113.9, 203.0.113.9",
        "::ffff:cb00:7109, 203.0.113.9",
        "64:ff9b::203.0.113.9, 64:ff9b::cb00:7109"
    })
    void spellings_of_one_address_have_one_text(String spelling, String text) {
        assertThat(IpAddress.parse(spelling)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", "1.2.3.-4", "a.b.c.d", "localhost",
                "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1::2", ":1", "1:", "12345::", "g::", "fe80::1%eth0", "[::1]",
                "1:2:3:4:5:6:7::8", "::1.2.3", "１.2.3.4", "::\u0661"
            })
    void what_is_not_a_literal_is_refused(String text) {
        assertThatThrownBy(() -> IpAddress.parse(text))
                .isInstanceOf(ValidationException.class)
                .hasMessage("ip must be an IPv4 or IPv6 address, got " + text);
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.9, 24, 64, 203.0.113.0",
        "203.0.113.9, 32, 64, 203.0.113.9",
        "203.0.113.9, 1, 64, 128.0.0.0",
        "2001:db8:1:2:3:4:5:6, 24, 64, 2001:db8:1:2::",
        "2001:db8:1:2:3:4:5:6, 24, 56, 2001:db8:1::",
        "2001:db8:1:2:3:4:5:6, 24, 65, 2001:db8:1:2::",
        "2001:db8:1:2:ffff:4:5:6, 24, 66, 2001:db8:1:2:c000::",
        "2001:db8:1:2:3:4:5:6, 24, 128, 2001:db8:1:2:3:4:5:6"
    })
    void a_prefix_clears_the_rest(String address, int v4Bits, int v6Bits, String prefix) {
        assertThat(IpAddress.parse(address).prefix(v4Bits, v6Bits)).hasToString(prefix);
    }

    @Test
    void every_address_reads_back_and_agrees_with_the_jdk() {
        Histories.TODAY.forEach(random -> {
            byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(bytes);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextInt(3) == 0 ? bytes[i] : 0;
            }
            try {
                InetAddress jdk = InetAddress.getByAddress(bytes);
                IpAddress ours = IpAddress.parse(jdk.getHostAddress());
                assertThat(IpAddress.parse(ours.toString())).isEqualTo(ours);
                assertThat(InetAddress.getByName(ours.toString())).isEqualTo(jdk);
            } catch (UnknownHostException impossible) {
                throw new AssertionError(impossible);
            }
        });
    }
}
