package io.meridian.infra.check;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Terraform for the regions and the centre. It takes minutes; {@code MERIDIAN_TF_PLUGINS} names a folder of providers. */
@Tag("full")
@Timeout(1800)
class TerraformIT {
    @Test
    void the_check_of_terraform_passes() throws Exception {
        CheckScript.of("terraform").passes();
    }
}
