# An example to copy. Nothing in it is a secret.
account_id     = "123456789012"
release        = "1.0.0"
domain         = "meridian.example.com"
public_zone_id = "Z0123456789EXAMPLE"
alarm_emails   = ["on-call@example.com"]
admin_cidrs    = ["10.0.0.0/16"]
metrics_cidrs  = ["10.0.32.0/20"]

caller_cidrs = {
  us-east      = ["10.1.0.0/16"]
  us-west      = ["10.2.0.0/16"]
  eu-west      = ["10.3.0.0/16"]
  ap-south     = ["10.4.0.0/16"]
  ap-northeast = ["10.5.0.0/16"]
}

# Of each token the name, scopes and hash that `./meridian limiter-token NAME --scopes …` shows; these are of no token.
caller_tokens = {
  us-east      = { api-servers = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000001" } }
  us-west      = { api-servers = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000002" } }
  eu-west      = { api-servers = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000003" } }
  ap-south     = { api-servers = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000004" } }
  ap-northeast = { api-servers = { scopes = ["check"], sha256 = "0000000000000000000000000000000000000000000000000000000000000005" } }
}

# An image with a shell in the account's own registry.
shell = {
  image          = "shell:1"
  repository_arn = "arn:aws:ecr:us-east-1:123456789012:repository/shell"
}

database_authorities_pem = <<-PEM
  -----BEGIN CERTIFICATE-----
  the certificates of RDS in us-east-1
  -----END CERTIFICATE-----
PEM
