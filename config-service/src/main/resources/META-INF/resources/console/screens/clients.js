// Way to a client: its identifier, and the clients that were denied or busy lately.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { go } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { card, page, problem, search, table } from '../core/ui.js';
import { number } from '../core/format.js';
import { keyLink } from './policy.js';

export default class Clients extends Screen {
  get title() { return 'Clients'; }

  async load() {
    const [hot, offenders] = await Promise.all([api.get('hot-keys', { limit: 15 }), api.get('top-offenders', { limit: 15 })]);
    this.hot = hot.items;
    this.offenders = offenders.items;
  }

  template() {
    return page('Clients', { lead: 'Everything that limits one client, in every region, now.' },
      search({
        label: 'Client', submit: 'Show', action: ({ type, id }) => { if (id) go(['clients', type || 'user_id', id]); },
        fields: [{ name: 'id', label: 'Identifier', placeholder: '42' }, { name: 'type', label: 'Type', value: 'user_id' }],
      }),
      problem(this.failed),
      html`<div class="grid">
        ${card('Busiest, last hour', this.hot?.length ? table({ caption: 'Busiest keys', head: ['Key', 'Policy', { text: 'Units', num: true }], rows: this.hot.map((each) => [keyLink(each.key), each.policy, number(each.consumed)]) })
          : html`<p class="muted">No usage yet. Send a check, and look up its client above at once.</p>`)}
        ${card('Denied most, last hour', this.offenders?.length ? table({ caption: 'Denied most', head: ['Key', 'Policy', { text: 'Denied', num: true }], rows: this.offenders.map((each) => [keyLink(each.key), each.policy, number(each.denied)]) })
          : html`<p class="muted">Nobody.</p>`)}</div>`, nothing);
  }
}
