-- Tokens of tenant admins, who see and change the policies of one tenant.
ALTER TABLE token DROP CONSTRAINT token_role_check;
ALTER TABLE token ADD COLUMN tenant text;
ALTER TABLE token ADD CONSTRAINT token_role_check CHECK (role IN ('tenant_admin', 'viewer', 'editor', 'admin'));
ALTER TABLE token ADD CONSTRAINT token_tenant_check CHECK ((role = 'tenant_admin') = (tenant IS NOT NULL));
