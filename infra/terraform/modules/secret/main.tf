# A user name and a password that Secrets Manager makes itself. CloudFormation asks for it, because it can leave the value to AWS:
# Terraform's own resources would have to be told a value, and a state, a plan or a variable would then hold it. Whoever needs it
# reads it by its ARN, as username and password of a JSON object.
resource "aws_cloudformation_stack" "this" {
  name = replace(var.name, "/[^A-Za-z0-9-]/", "-")

  template_body = jsonencode({
    Resources = {
      Secret = {
        Type = "AWS::SecretsManager::Secret"
        Properties = merge(
          {
            Name        = var.name
            Description = var.description
            KmsKeyId    = var.key_arn
            GenerateSecretString = merge(
              {
                SecretStringTemplate = jsonencode({ username = var.username })
                GenerateStringKey    = "password"
                PasswordLength       = 40
                # It stands in addresses and in JAAS options, where punctuation would have to be escaped: 40 letters and digits are
                # 238 bits.
                ExcludePunctuation = true
              },
              var.hex_digits == null ? {} : {
                PasswordLength    = var.hex_digits
                ExcludeUppercase  = true
                ExcludeCharacters = "ghijklmnopqrstuvwxyz"
              },
            )
          },
          length(var.copies) == 0 ? {} : {
            ReplicaRegions = [for region, key in var.copies : { Region = region, KmsKeyId = key }]
          },
        )
      }
    }
    Outputs = { Arn = { Value = { Ref = "Secret" } } }
  })
}
