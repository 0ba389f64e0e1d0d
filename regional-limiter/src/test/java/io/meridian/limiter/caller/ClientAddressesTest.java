package io.meridian.limiter.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.LimiterConfig.ForwardedConfig;
import io.meridian.limiter.caller.ClientAddresses.TrustedProxies;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.validation.ValidationException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which address a request counts for. The attacker is at 203.0.113.66, the victim at 198.51.100.7. */
class ClientAddressesTest {
    private static final String VICTIM = "198.51.100.7";
    private static final String ATTACKER = "203.0.113.66";
    private static final String PROXY = "10.0.0.1";

    private static String client(Map<String, String> settings, String peer, String... lines) {
        return addresses(settings)
                .of(IpAddress.parse(peer), Arrays.asList(lines))
                .address()
                .toString();
    }

    private static ClientAddresses addresses(Map<String, String> settings) {
        return new ClientAddresses(Settings.of(ForwardedConfig.class, settings));
    }

    private static Map<String, String> trusting(String proxies, int hops, String header) {
        return Map.of(
                "meridian.limiter.forwarded.trusted-proxies",
                proxies,
                "meridian.limiter.forwarded.trusted-hops",
                Integer.toString(hops),
                "meridian.limiter.forwarded.header",
                header);
    }

    private static Map<String, String> xff(int hops) {
        return trusting("10.0.0.0/8", hops, "x-forwarded-for");
    }

    private static Map<String, String> forwarded(int hops) {
        return trusting("10.0.0.0/8", hops, "forwarded");
    }

    @Test
    void by_default_the_peer_counts_whatever_it_says() {
        ForwardedConfig config = Settings.of(ForwardedConfig.class, Map.of());

        assertThat(config.trustedProxies()).isEmpty();
        assertThat(config.trustedHops()).isEqualTo(1);
        assertThat(config.header()).isEqualTo("x-forwarded-for");
        assertThat(client(Map.of(), ATTACKER, VICTIM)).isEqualTo(ATTACKER);
    }

    @Test
    void a_peer_that_is_no_trusted_proxy_is_not_believed() {
        assertThat(client(xff(1), ATTACKER, VICTIM)).isEqualTo(ATTACKER);
        assertThat(client(xff(2), ATTACKER, VICTIM + ", " + PROXY)).isEqualTo(ATTACKER);
        assertThat(client(forwarded(1), ATTACKER, "for=" + VICTIM)).isEqualTo(ATTACKER);
    }

    @Test
    void what_a_client_wrote_stands_to_the_left_of_what_the_proxy_wrote() {
        assertThat(client(xff(1), PROXY, VICTIM + ", " + ATTACKER)).isEqualTo(ATTACKER);
        assertThat(client(xff(1), PROXY, VICTIM, ATTACKER))
                .as("a line of its own")
                .isEqualTo(ATTACKER);
        assertThat(client(xff(1), PROXY, VICTIM + ",, " + ATTACKER)).isEqualTo(ATTACKER);
        assertThat(client(forwarded(1), PROXY, "for=" + VICTIM + ", for=" + ATTACKER))
                .isEqualTo(ATTACKER);
        assertThat(client(forwarded(1), PROXY, "for=\"" + VICTIM + ", for=" + ATTACKER))
                .as("an open quote")
                .isEqualTo(ATTACKER);
        assertThat(client(forwarded(1), PROXY, "for=" + VICTIM + ";host=\"\\", "for=" + ATTACKER))
                .isEqualTo(ATTACKER);
    }

    @Test
    void a_second_proxy_is_passed_only_if_it_is_trusted() {
        assertThat(client(xff(2), PROXY, "192.0.2.1, " + VICTIM + ", 10.0.0.2")).isEqualTo(VICTIM);
        assertThat(client(xff(2), PROXY, VICTIM + ", " + ATTACKER))
                .as("past the outer proxy")
                .isEqualTo(ATTACKER);
        assertThat(client(xff(3), PROXY, VICTIM + ", 10.0.0.2"))
                .as("a shorter way than usual")
                .isEqualTo(VICTIM);
    }

    @Test
    void hops_are_counted_so_a_client_within_a_trusted_network_makes_nothing_up() {
        assertThat(client(xff(1), PROXY, VICTIM + ", 10.9.9.9")).isEqualTo("10.9.9.9");
        assertThat(client(xff(2), PROXY, VICTIM + ", 10.9.9.9, 10.0.0.2")).isEqualTo("10.9.9.9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "_hidden", "", "  ", "<script>", "300.1.1.1", "[::1", "[::1]x", "unix:", "-"})
    void a_hop_that_names_nobody_counts_for_the_proxy_and_not_for_its_left_neighbour(String hop) {
        assertThat(client(xff(1), PROXY, VICTIM + "," + hop)).isEqualTo(PROXY);
        assertThat(client(xff(2), PROXY, VICTIM + "," + hop + ",10.0.0.2")).isEqualTo("10.0.0.2");
    }

    @Test
    void without_the_header_the_proxy_counts() {
        assertThat(client(xff(1), PROXY)).isEqualTo(PROXY);
        assertThat(client(xff(1), PROXY, "")).isEqualTo(PROXY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "198.51.100.7:4711|198.51.100.7",
                "[2001:db8::1]:4711|2001:db8::1",
                "[2001:db8::1]|2001:db8::1",
                "2001:DB8:0:0::1|2001:db8::1",
                "fe80::1%eth0|fe80::1",
                "::ffff:198.51.100.7|198.51.100.7",
                "[::ffff:198.51.100.7]:80|198.51.100.7"
            })
    void a_hop_may_have_a_port_brackets_and_a_zone(String hop, String address) {
        assertThat(client(xff(1), PROXY, "192.0.2.1, " + hop)).isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "for=198.51.100.7|198.51.100.7",
                "proto=https;For=\"[2001:db8::1]:4711\";by=10.0.0.1|2001:db8::1",
                "for=\"198.51.100.7:_port\"|198.51.100.7",
                "host=\"a,b;for=192.0.2.9\";for=198.51.100.7|198.51.100.7",
                "for=198.51.100.7;host=\"x\\\",for=192.0.2.9\"|198.51.100.7",
                "for=198.51.100.7;host=\"x\\\\\"|198.51.100.7",
                "for=\"198.51\\.100.7\"|198.51.100.7",
                "for=unknown|10.0.0.1",
                "for=\"_gazonk\"|10.0.0.1",
                "for=198.51.100.7;for=192.0.2.9|10.0.0.1",
                "by=198.51.100.7|10.0.0.1",
                "xfor=198.51.100.7|10.0.0.1",
                "for=|10.0.0.1",
                "198.51.100.7|10.0.0.1"
            })
    void a_hop_of_rfc_7239_is_read_with_its_quoted_strings(String hop, String address) {
        assertThat(client(forwarded(1), PROXY, "for=192.0.2.1, " + hop)).isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0/8|10.255.255.255|true",
                "10.0.0.0/8|11.0.0.0|false",
                "10.1.2.3|10.1.2.3|true",
                "10.1.2.3|10.1.2.4|false",
                "0.0.0.0/0|203.0.113.1|true",
                "0.0.0.0/0|2001:db8::1|false",
                "10.0.0.0/9|10.128.0.0|false",
                "10.0.0.0/31|10.0.0.1|true",
                "2001:db8::/32|2001:db8:ffff::1|true",
                "2001:db8::/32|2001:db9::1|false",
                "2001:db8::/64|2001:db8::ffff|true",
                "2001:db8::/64|2001:db8:0:1::1|false",
                "2001:db8::8000:0/97|2001:db8::ffff:1|true",
                "2001:db8::8000:0/97|2001:db8::7fff:1|false",
                "::/0|2001:db8::1|true",
                "::ffff:10.0.0.0/104|10.255.0.1|true",
                "10.0.0.0/8|::ffff:10.255.0.1|true",
                "192.0.2.0/24,2001:db8::1|2001:db8::1|true"
            })
    void networks_of_proxies_are_ipv4_ipv6_and_mapped(String networks, String address, boolean trusted) {
        TrustedProxies proxies = TrustedProxies.parse(Arrays.asList(networks.split(",")));

        assertThat(proxies.contains(IpAddress.parse(address))).isEqualTo(trusted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/x",
                "10.0.0.0/",
                "10.0.0.1/8",
                "proxy.internal",
                "2001:db8::/129",
                "2001:db8::1/64",
                "::ffff:10.0.0.0/64",
                "10.0.0.0/8/8"
            })
    void a_network_that_is_none_is_refused_at_the_start_by_setting_and_value(String network) {
        assertThatThrownBy(
                        () -> addresses(Map.of("meridian.limiter.forwarded.trusted-proxies", "10.0.0.0/8," + network)))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("meridian.limiter.forwarded.trusted-proxies must")
                .hasMessageEndingWith("got " + network);
    }

    @Test
    void other_settings_are_refused_by_name_and_value_too() {
        assertThatThrownBy(() -> addresses(Map.of("meridian.limiter.forwarded.trusted-hops", "0")))
                .hasMessage("meridian.limiter.forwarded.trusted-hops must be from 1 to 16, got 0");
        assertThatThrownBy(() -> addresses(Map.of("meridian.limiter.forwarded.header", "x-real-ip")))
                .hasMessage("meridian.limiter.forwarded.header must be x-forwarded-for or forwarded, got x-real-ip");
        List<String> many = Collections.nCopies(TrustedProxies.NETWORKS_MAX + 1, "10.0.0.1");
        assertThatThrownBy(() -> TrustedProxies.parse(many))
                .hasMessage("meridian.limiter.forwarded.trusted-proxies must have at most 1000 networks, got 1001");
    }
}
