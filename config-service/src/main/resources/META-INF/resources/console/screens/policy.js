// One policy: its terms, its consumption by region, who was denied, and its versions.
import { html, nothing } from '../core/lit.js';
import { api, entryPath, optional } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, button, card, changes, code, confirm, facts, page, problem, sparkline, stacked, table, time, toast } from '../core/ui.js';
import { number } from '../core/format.js';
import { differences } from '../core/diff.js';
import { appliesTo, marks, quota } from './policies.js';

export default class PolicyScreen extends Screen {
  get title() { return this.context.params.id; }

  async load() {
    const id = this.context.params.id;
    const [{ body, etag }, versions] = await Promise.all([
      api.read(entryPath('policies', id)), optional(() => api.get('audit', { kind: 'policy', id, limit: 20 }))]);
    this.policy = body;
    this.etag = etag;
    this.versions = versions?.items || [];
    this.promises = await optional(() => api.get('promises', { policy: id, limit: 1 }));
    await this.refresh();
    this.every(5000, () => this.refresh());
  }

  async refresh() {
    const id = this.context.params.id;
    const [usage, violations, hot, overrides] = await Promise.all([
      api.get(`${entryPath('policies', id)}/usage`), optional(() => api.get('top-offenders', { policy: id, limit: 10 })),
      optional(() => api.get('hot-keys', { policy: id, limit: 5 })), optional(() => api.get('overrides', { policy: id, limit: 100 }))]);
    Object.assign(this, { usage, offenders: violations?.items || [], hot: hot?.items || [], overrides: overrides || { items: [] } });
  }

  async remove() {
    const result = await this.attempt(() => api.delete(entryPath('policies', this.policy.id), { ifMatch: this.etag, query: { dry_run: true } }));
    if (this.failed) return result;
    const count = this.overrides.items.length;
    const sure = await confirm({
      title: `Delete ${this.policy.id}?`, action: 'Delete the policy',
      body: html`<p>Within a second no region applies it. Requests that only this policy limits are then unlimited.</p>
        <ul><li><strong>1</strong> policy and <strong>${number(count)}${this.overrides.next ? ' or more' : ''}</strong> ${count === 1 ? 'override' : 'overrides'} are deleted.</li>
        <li><strong>${number(this.usage.consumed)}</strong> units were consumed under it in the last hour, by the keys shown on its page.</li></ul>
        <p>The audit trail keeps it, so that it can be restored.</p>`,
    });
    if (!sure) return undefined;
    await this.attempt(() => api.delete(entryPath('policies', this.policy.id), { ifMatch: this.etag }));
    if (!this.failed) {
      toast(`${this.policy.id} was deleted`);
      go(['policies']);
    }
    return undefined;
  }

  async toggle() {
    const answer = await this.attempt(() => api.patch(entryPath('policies', this.policy.id), { enabled: !this.policy.enabled }, { ifMatch: this.etag }));
    if (answer) {
      this.policy = answer.body;
      this.etag = answer.etag;
      toast(this.policy.enabled ? 'Enabled' : 'Disabled');
      this.versions = (await api.get('audit', { kind: 'policy', id: this.policy.id, limit: 20 })).items;
      this.update();
    }
  }

  template() {
    const { policy } = this;
    const back = { href: '#/policies', text: 'All policies' };
    if (!policy) return page(this.context.params.id, { back }, problem(this.failed));
    const editable = this.canEdit && !policy.protected;
    return page(policy.id, {
      back, lead: html`${policy.name || nothing} ${marks(policy)}`,
      actions: html`
        <a class="button" href=${href(['what-if'], { policy: policy.id })}>What if</a>
        ${this.canEdit ? html`${policy.protected ? html`<a class="button primary" href=${href(['proposals'], { add: 'true', policy: policy.id })}>Propose a change</a>`
          : html`<a class="button primary" href=${href(['policies', policy.id, 'edit'])}>Edit</a>`}` : nothing}
        ${this.canEdit ? html`<a class="button" href=${href(['policies', 'new'], { copy: policy.id })}>Copy</a>` : nothing}
        ${editable ? html`${button(policy.enabled ? 'Disable' : 'Enable', () => this.toggle())}${button('Delete', () => this.remove(), { tone: 'danger' })}` : nothing}`,
    },
    problem(this.failed), this.stale ? problem(this.stale) : nothing,
    policy.description ? html`<p>${policy.description}</p>` : nothing,
    card('Terms', facts([
      ['Limit', quota(policy)], ['Algorithm', policy.algorithm.replaceAll('_', ' ')], ['Key', policy.key.length ? policy.key.join(', ') : 'one counter for all'],
      ['Applies to', appliesTo(policy)], ['Scope', policy.scope === 'global' ? `global, ${policy.mode}` : 'regional'],
      policy.mode === 'escrow' ? ['When exhausted', policy.on_exhausted] : null,
      policy.scope === 'global' ? ['After a heal', policy.after_heal] : null,
      ['Action', policy.action.replace('_', ' ')], ['Redis away', policy.on_failure], ['Cost', number(policy.cost)],
      policy.soft_limit_percent ? ['Warns from', `${policy.soft_limit_percent} %`] : null,
      policy.adaptive ? ['Adaptive', 'scales with load'] : null, ['Priority', number(policy.priority)], ['Version', number(policy.version)],
      ['Changed', time(policy.updated_at)]])),
    this.usage ? this.consumption() : nothing,
    card('Versions', this.versions.length === 0 ? html`<p class="muted">No change is in the audit trail.</p>` : html`
      ${this.versions.map((each, i) => html`<details ?open=${i === 0}>
        <summary>${time(each.at)} <strong>${each.action}</strong> by ${each.actor}</summary>
        ${changes(differences(each.before, each.after))}
        <p><a href=${href(['audit', String(each.id)])}>In the audit trail</a></p></details>`)}`));
  }

  consumption() {
    const regions = Object.entries(this.usage.regions).map(([region, value]) => ({ region, value: Math.max(0, value) }));
    const kept = this.promises?.totals?.[0];
    return html`<div class="grid gap">
      ${kept ? card('Promise', facts([['Windows kept', number(kept.kept)], ['Broken', kept.broken ? badge(number(kept.broken), 'bad') : '0'], ['Utilisation', `${(100 * kept.utilisation).toFixed(1)} %`]]), html`<a href=${href(['promises'], { policy: this.policy.id })}>Ledger</a>`) : nothing}
      ${card('Consumption, last hour', html`
        <p><strong>${number(this.usage.consumed)}</strong> units</p>
        ${sparkline(this.usage.points.map((each) => each.consumed), `Consumption per ${this.usage.step} over the last hour`)}
        ${regions.length ? html`${stacked(regions, 0, 'Consumption by region: ' + regions.map((each) => `${each.region} ${each.value}`).join(', '))}
          <ul class="legend">${regions.map((each, i) => html`<li><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect class="c${i % 8}" width="1" height="1"></rect></svg>${each.region} <strong>${number(each.value)}</strong></li>`)}</ul>` : nothing}`)}
      ${card('Busiest keys, last hour', this.hot.length
        ? table({ caption: 'Busiest keys', head: ['Key', { text: 'Units', num: true }], rows: this.hot.map((each) => [keyLink(each.key), number(each.consumed)]) })
        : html`<p class="muted">None yet. Usage appears up to a minute after a check.</p>`)}
      ${card('Denied most, last hour', this.offenders.length
        ? table({ caption: 'Denied most', head: ['Key', { text: 'Denied', num: true }, 'Last'], rows: this.offenders.map((each) => [keyLink(each.key), html`${number(each.denied)}${each.shadow ? html` ${badge(`${number(each.shadow)} in shadow`, 'warn')}` : nothing}`, time(each.last_at)]) })
        : html`<p class="muted">Nobody.</p>`, html`<a href=${href(['violations'], { policy: this.policy.id })}>All violations</a>`)}
      ${card('Overrides', this.overrides.items.length
        ? table({ caption: 'Overrides', head: ['Client', { text: 'Limit', num: true }], rows: this.overrides.items.slice(0, 10).map((each) => [code(`${each.identifier_type}:${each.identifier}`), number(each.limit)]) })
        : html`<p class="muted">Every client has the policy's own limit.</p>`, html`<a href=${href(['overrides'], { policy: this.policy.id })}>All overrides</a>`)}
    </div>`;
  }
}

/** A key of one attribute, user_id=42, leads to its client. */
export function keyLink(key) {
  const parts = /^([a-z_0-9]+)=([^;&,]+)$/.exec(key);
  return parts ? html`<a href=${href(['clients', parts[1], parts[2]])}>${code(key)}</a>` : code(key);
}
