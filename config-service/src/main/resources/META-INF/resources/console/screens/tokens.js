// Tokens of the admin API: who has which role, new ones, revocation, and sign-in links.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { Screen } from '../core/screen.js';
import { badge, button, card, code, confirm, errorOf, field, page, problem, table, time, toast } from '../core/ui.js';

export default class Tokens extends Screen {
  get title() { return 'Tokens'; }

  async load() {
    this.draft = { name: '', role: 'viewer', tenant: '', expires_at: '' };
    await this.refresh();
  }

  async refresh() { this.data = await api.get('tokens', { limit: 1000 }); }

  async create() {
    const { name, role, tenant, expires_at: end } = this.draft;
    const made = await this.attempt(() => api.post('tokens', { name, role, ...(role === 'tenant_admin' ? { tenant } : {}), ...(end ? { expires_at: end } : {}) }));
    if (made) {
      this.made = made;
      this.draft = { name: '', role: 'viewer', tenant: '', expires_at: '' };
      await this.refresh();
      this.update();
    }
  }

  async revoke(token) {
    const sure = await confirm({ title: `Revoke ${token.name}?`, action: 'Revoke 1 token',
      body: html`<p><strong>1</strong> token, ${code(token.id)}, with the role ${token.role}. Its calls, and its console sessions, end within a second.</p>` });
    if (!sure) return;
    await this.attempt(() => api.delete(`tokens/${encodeURIComponent(token.id)}`));
    if (!this.failed) {
      toast('Revoked');
      await this.refresh();
      this.update();
    }
  }

  async newLink() {
    const link = await this.attempt(() => api.post('session/links'));
    if (link) this.link = { ...link, url: window.location.origin + link.path };
    this.update();
  }

  template() {
    const names = ['name', 'role', 'tenant', 'expires_at'];
    const change = (name) => (value) => {
      this.draft = { ...this.draft, [name]: value };
      if (name === 'role') this.update();
    };
    return page('Tokens', { lead: 'A viewer reads, an editor also changes, an admin also manages tokens. A tenant admin sees and changes the policies of one tenant.', actions: button('Sign-in link…', () => this.newLink()) },
      this.link ? html`<div class="alert good" role="status"><strong>Signs another browser in as you, once, until ${time(this.link.expires_at)}:</strong><p>${code(this.link.url)}</p></div>` : nothing,
      this.made ? html`<div class="alert good" role="status"><strong>The token of ${this.made.name}. It is shown this once:</strong><p><code id="made">${this.made.token}</code></p></div>` : nothing,
      this.isAdmin ? card('New token', html`<form @submit=${(event) => { event.preventDefault(); this.create(); }}>
        ${problem(this.failed, (name) => names.includes(name))}
        <div class="row">${field({ id: 't-name', label: 'Name', required: true, value: this.draft?.name, error: errorOf(this.failed, 'name'), hint: 'As the audit trail shows it.', change: change('name') })}
          ${field({ id: 't-role', label: 'Role', value: this.draft?.role, choices: ['viewer', 'editor', 'admin', ['tenant_admin', 'tenant admin']], error: errorOf(this.failed, 'role'), change: change('role') })}
          ${this.draft?.role === 'tenant_admin' ? field({ id: 't-tenant', label: 'Tenant', required: true, value: this.draft.tenant, error: errorOf(this.failed, 'tenant'), hint: 'Sees and changes the policies of this tenant alone.', change: change('tenant') }) : nothing}
          ${field({ id: 't-end', label: 'Expires at', kind: 'datetime', value: this.draft?.expires_at, error: errorOf(this.failed, 'expires_at'), hint: 'Empty: never.', change: change('expires_at') })}</div>
        ${button('Create', null, { tone: 'primary', type: 'submit', disabled: this.busy })}</form>`) : problem(this.failed),
      this.data ? table({ caption: 'Tokens', head: ['Name', 'Role', 'Created', 'Expires', ...(this.isAdmin ? ['Actions'] : [])],
        rows: this.data.items.map((each) => [html`${each.name}<br><small>${each.id}</small>`, html`${badge(each.role.replace('_', ' '))} ${each.tenant || ''}`, html`${time(each.created_at)}<br><small>by ${each.created_by}</small>`, each.expires_at ? time(each.expires_at) : 'never',
          ...(this.isAdmin ? [button('Revoke', () => this.revoke(each), { tone: 'danger', label: `Revoke ${each.name}` })] : [])]) }) : nothing);
  }
}
