package io.meridian.config.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of an identity provider whose keys are served over HTTP. */
class IdentityProviderTest {
    private static final String ISSUER = "https://id.example.org";
    private static SigningProvider signing;
    private static IdentityProvider provider;

    @BeforeAll
    static void start() throws Exception {
        signing = new SigningProvider();
        provider = provider(Optional.of(ISSUER), Optional.of(signing.jwksUrl()));
    }

    @AfterAll
    static void stop() {
        signing.close();
    }

    @Test
    void a_signed_token_has_the_highest_role_it_names() throws Exception {
        assertThat(called(claims())).contains(new AdminCaller("oidc:alice", AdminRole.EDITOR));
        ObjectNode many = claims();
        many.putArray("roles").add("viewer").add("admin").add("editor");
        assertThat(called(many)).contains(new AdminCaller("oidc:alice", AdminRole.ADMIN));
        assertThat(called(claims().put("roles", "viewer"))).contains(new AdminCaller("oidc:alice", AdminRole.VIEWER));
    }

    @Test
    void a_tenant_admin_has_the_tenant_of_its_claim_and_is_nobody_without_one() throws Exception {
        ObjectNode tenantAdmin = claims().put("roles", "tenant_admin");

        assertThat(called(tenantAdmin)).isEmpty();
        assertThat(called(tenantAdmin.deepCopy().put("tenant", ""))).isEmpty();
        assertThat(called(tenantAdmin.deepCopy().put("tenant", "acme")))
                .contains(new AdminCaller("oidc:alice", AdminRole.TENANT_ADMIN, Optional.of("acme")));
        assertThat(called(claims().put("roles", "viewer").put("tenant", "acme")))
                .contains(new AdminCaller("oidc:alice", AdminRole.VIEWER));
    }

    @ParameterizedTest
    @CsvSource({"iss, https://id.example.com", "aud, others", "iss, ''", "aud, ''"})
    void one_that_is_not_of_the_issuer_or_not_for_us_is_refused(String claim, String value) throws Exception {
        assertThat(called(claims().put(claim, value))).isEmpty();
        ObjectNode without = claims();
        without.remove(claim);
        assertThat(called(without)).isEmpty();
    }

    @Test
    void one_that_has_ended_or_has_no_end_is_refused() throws Exception {
        long issued = claims().path("iat").asLong();
        assertThat(called(claims().put("iat", issued - 20_000).put("exp", issued - 7_200)))
                .isEmpty();
        assertThat(called(claims().put("iat", issued - 20_000).put("exp", issued - 5)))
                .as("clocks may be apart")
                .isPresent();
        ObjectNode endless = claims();
        endless.remove("exp");
        assertThat(called(endless)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"king", "", "ADMIN", "admin,editor"})
    void one_without_a_role_of_ours_is_refused(String role) throws Exception {
        assertThat(called(claims().put("roles", role))).isEmpty();
        ObjectNode without = claims();
        without.remove("roles");
        assertThat(called(without)).isEmpty();
        ObjectNode odd = claims();
        odd.putObject("roles").put("admin", "admin");
        assertThat(called(odd)).isEmpty();
        assertThat(called(claims().put("roles", 3))).isEmpty();
    }

    @Test
    void one_signed_otherwise_is_refused() throws Exception {
        KeyPair other = SigningProvider.newKeys();
        assertThat(provider.caller(SigningProvider.signed(other, claims()))).isEmpty();
        assertThat(provider.caller(SigningProvider.unsigned(claims()))).isEmpty();
        assertThat(provider.caller(signing.confused(claims()))).isEmpty();
        String good = SigningProvider.signed(signing.keys(), claims());
        assertThat(provider.caller(good)).isPresent();
        String[] parts = good.split("\\.", -1);
        String swapped = SigningProvider.signed(signing.keys(), claims().put("sub", "mallory"))
                .split("\\.", -1)[1];
        assertThat(provider.caller(parts[0] + "." + swapped + "." + parts[2])).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "a.b.c", "...", "", "a", "\u0000.\u0000.\u0000", "e30.e30.e30", "é.é.é", " . . "})
    void what_is_no_token_is_refused(String text) {
        assertThat(provider.caller(text)).isEmpty();
    }

    @Test
    void a_name_that_the_audit_trail_cannot_hold_is_refused() throws Exception {
        for (String name : List.of("", "a\u0000b", "x".repeat(1_000), "\n")) {
            assertThat(called(claims().put("sub", name))).as(name).isEmpty();
        }
        ObjectNode nameless = claims();
        nameless.remove("sub");
        assertThat(called(nameless)).isEmpty();
    }

    @Test
    void while_the_provider_is_away_its_tokens_are_refused() throws Exception {
        String url;
        KeyPair keys;
        try (SigningProvider gone = new SigningProvider()) {
            url = gone.jwksUrl();
            keys = gone.keys();
        }
        IdentityProvider away = provider(Optional.of(ISSUER), Optional.of(url));
        assertThat(away.caller(SigningProvider.signed(keys, claims()))).isEmpty();
    }

    @Test
    void without_an_issuer_there_is_no_provider() throws Exception {
        String token = SigningProvider.signed(signing.keys(), claims());
        assertThat(provider(Optional.empty(), Optional.empty()).caller(token)).isEmpty();
        assertThatThrownBy(() -> provider(Optional.of(ISSUER), Optional.empty()))
                .hasMessageContaining("jwks-url");
    }

    private static Optional<AdminCaller> called(ObjectNode claims) throws Exception {
        return provider.caller(SigningProvider.signed(signing.keys(), claims));
    }

    private static ObjectNode claims() {
        return SigningProvider.claims(ISSUER, "meridian");
    }

    private static IdentityProvider provider(Optional<String> issuer, Optional<String> jwksUrl) {
        AccessConfig.Oidc oidc = new AccessConfig.Oidc() {
            @Override
            public Optional<String> issuer() {
                return issuer;
            }

            @Override
            public Optional<String> jwksUrl() {
                return jwksUrl;
            }

            @Override
            public String audience() {
                return "meridian";
            }

            @Override
            public String roleClaim() {
                return "roles";
            }

            @Override
            public String tenantClaim() {
                return "tenant";
            }

            @Override
            public Duration clockSkew() {
                return Duration.ofHours(1);
            }
        };
        return new IdentityProvider(new AccessConfig() {
            @Override
            public Optional<Path> adminTokenFile() {
                return Optional.empty();
            }

            @Override
            public Duration refresh() {
                return Duration.ofSeconds(1);
            }

            @Override
            public int tokensMax() {
                return 10;
            }

            @Override
            public Oidc oidc() {
                return oidc;
            }
        });
    }
}
