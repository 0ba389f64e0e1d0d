// One client: every limit that it meets, live in every region; its tier, overrides and violations; reset.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, bar, button, card, code, confirm, empty, facts, notice, page, problem, stacked, table, time, toast } from '../core/ui.js';
import { number } from '../core/format.js';

export default class Client extends Screen {
  get type() { return this.context.params.type; }

  get id() { return this.context.params.id; }

  get title() { return `${this.type} ${this.id}`; }

  get path() { return `clients/${encodeURIComponent(this.type)}/${encodeURIComponent(this.id)}`; }

  async load() {
    const one = { identifier_type: this.type, identifier: this.id };
    // The prefix makes it a search in the index of ids, also among a million lines.
    const entry = async (collection) => (await api.get(collection, { ...one, prefix: `${this.type}:${this.id}` })).items[0];
    const [tier, overrides, allowed, denied, violations] = await Promise.all([
      entry('client-tiers'), api.get('overrides', { ...one, limit: 100 }), entry('allow-list'), entry('deny-list'),
      api.get('violations', { key: `${this.type}=${this.id}`, limit: 10 })]);
    Object.assign(this, { tier, overrides: overrides.items, allowed, denied, violations: violations.items });
    await this.refresh().catch((failed) => { this.stale = failed; });
    this.every(2000, () => this.refresh());
  }

  async refresh() {
    this.status = await api.get(this.path);
    this.stale = null;
  }

  async reset() {
    const plan = await this.attempt(() => api.delete(`${this.path}/counters`, { query: { dry_run: true } }));
    if (!plan) return;
    const limits = this.status?.limits.length ?? 0;
    const sure = await confirm({
      title: `Reset the counters of ${this.title}?`, action: `Reset in ${plan.reset.length} ${plan.reset.length === 1 ? 'region' : 'regions'}`,
      body: html`<p>What this client has used is forgotten, and it may use its whole limits again. This cannot be undone.</p>
        <ul><li><strong>${number(limits)}</strong> limits,</li><li>in <strong>${plan.reset.length}</strong> regions: ${plan.reset.join(', ') || 'none'}.</li>
        ${plan.missing.length ? html`<li><strong>${plan.missing.length}</strong> did not answer and will not be reset: ${plan.missing.join(', ')}.</li>` : nothing}</ul>`,
    });
    if (!sure) return;
    const done = await this.attempt(() => api.delete(`${this.path}/counters`));
    if (done) {
      this.resetResult = done;
      toast(`Reset in ${done.reset.length} regions`);
      await this.refresh();
      this.update();
    }
  }

  template() {
    const client = { 'set-identifier_type': this.type, 'set-identifier': this.id };
    return page(html`${this.type} ${code(this.id)}`, {
      back: { href: '#/clients', text: 'Clients' },
      lead: this.denied ? badge('on the deny list: every request is answered 403', 'bad') : this.allowed ? badge('on the allow list: no policy limits it', 'good') : 'Live: asked again every two seconds.',
      actions: this.canEdit ? html`${button('Reset counters…', () => this.reset(), { tone: 'danger', disabled: this.busy })}` : nothing,
    },
    problem(this.failed), this.stale ? problem(this.stale) : nothing,
    this.resetResult?.missing.length ? notice('warn', `Not reset, because they did not answer: ${this.resetResult.missing.join(', ')}.`) : nothing,
    this.status?.missing.length ? notice('warn', `No answer from ${this.status.missing.join(', ')}: their consumption is not shown.`) : nothing,
    this.status ? this.limits() : nothing,
    this.violations ? html`<div class="grid">
      ${card('Tier', html`<p>${this.tier ? badge(this.tier.tier, 'good') : html`<span class="muted">none of its own: the default tier</span>`}</p>`,
        this.canEdit ? html`<a href=${this.tier ? href(['client-tiers'], { edit: `${this.type}:${this.id}` }) : href(['client-tiers'], { add: 'true', ...client })}>${this.tier ? 'Change' : 'Set a tier'}</a>` : nothing)}
      ${card('Overrides', this.overrides.length ? table({ caption: 'Overrides', head: ['Policy', { text: 'Limit', num: true }, 'Expires'], rows: this.overrides.map((each) => [
        html`<a href=${href(['overrides'], { edit: `${each.policy}:${this.type}:${this.id}` })}>${each.policy}</a>`, number(each.limit), each.expires_at ? time(each.expires_at) : 'never']) }) : html`<p class="muted">None.</p>`,
        this.canEdit ? html`<a href=${href(['overrides'], { add: 'true', ...client })}>Add</a>` : nothing)}
      ${card('Violations, last hour', this.violations.length ? table({ caption: 'Violations', head: ['Last', 'Policy', { text: 'Denied', num: true }], rows: this.violations.map((each) => [time(each.at), each.policy, number(each.count)]) }) : html`<p class="muted">None.</p>`)}
      ${card('Lists', facts([
        ['Allow list', this.allowed ? html`<a href=${href(['allow-list'], { prefix: `${this.type}:${this.id}` })}>yes</a>` : html`no ${this.canEdit ? html`· <a href=${href(['allow-list'], { add: 'true', ...client })}>add</a>` : nothing}`],
        ['Deny list', this.denied ? html`<a href=${href(['deny-list'], { prefix: `${this.type}:${this.id}` })}>yes</a>` : html`no ${this.canEdit ? html`· <a href=${href(['deny-list'], { add: 'true', ...client })}>add</a>` : nothing}`]]))}
    </div>` : nothing);
  }

  limits() {
    if (this.status.limits.length === 0) {
      return empty('No limit counts this client alone', html`No enabled policy has the key <code>${this.type}</code>. Limits whose key has more attributes are shown if these are given in the address of the API.`);
    }
    return this.status.limits.map((each) => card(html`<a href=${href(['policies', each.policy])}>${each.policy}</a>`, html`
      <p>${code(each.key)} · <strong>${number(each.used)}</strong> of ${number(each.limit)} used, ${number(each.remaining)} remaining ${badge(each.scope)}</p>
      ${each.scope === 'global'
        ? stacked(each.regions.map((region) => ({ value: region.used })), each.limit, `${each.used} of ${each.limit} used: ${each.regions.map((region) => `${region.region} ${region.used}`).join(', ')}`)
        : nothing}
      ${table({ caption: `${each.policy} by region`, head: ['Region', { text: 'Used', num: true }, { text: 'Limit', num: true }, 'Share', 'Resets'],
        rows: each.regions.map((region) => [region.region, number(region.used), number(region.limit), bar(region.used, region.limit, `${region.used} of ${region.limit}`), time(region.reset_at)]) })}`));
  }
}
