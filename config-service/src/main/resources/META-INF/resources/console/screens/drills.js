// Partition drills that were published: verdicts, promises, and the report page in a frame without any right.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { badge, card, empty, facts, more, page, problem, search, table, time } from '../core/ui.js';
import { duration } from '../core/format.js';

const TONES = { held: 'good', broken: 'bad', violated: 'bad', unknown: 'warn' };
const seconds = (drill) => duration((Date.parse(drill.ended_at) - Date.parse(drill.started_at)) / 1000);

export default class Drills extends Screen {
  get title() { return this.id ? `Drill ${this.id}` : 'Drills'; }

  get id() { return this.context.params.id; }

  async load() {
    if (this.id) Object.assign(this, await api.get(`drills/${encodeURIComponent(this.id)}`));
    else this.data = await api.get('drills', { limit: 50, ...this.query });
  }

  template() {
    if (this.id) return this.one();
    const { query } = this;
    return page('Drills', { lead: html`Faults injected under load, and whether the limits held. <code>./meridian drill run cut-one-region</code> runs one and publishes it here.` },
      search({ label: 'Drills', action: (values) => go(['drills'], values), fields: [{ name: 'drill', label: 'Drill', value: query.drill }, { name: 'verdict', label: 'Verdict', choices: ['', 'held', 'broken', 'unknown'], value: query.verdict }] }),
      problem(this.failed),
      this.data ? table({ caption: 'Drills', head: ['Started', 'Drill', 'Verdict', 'Took', 'Published by'],
        rows: this.data.items.map((each) => [time(each.started_at), html`<a href=${href(['drills', String(each.id)])}>${each.title}</a><br><small>${each.drill}, ${each.target}</small>`, html`${badge(each.verdict, TONES[each.verdict])} ${each.sentence}`, seconds(each), each.published_by]),
        empty: empty('No drill was published', html`Run one on this stack: <code>./meridian drill run cut-one-region</code>.`) }) : nothing,
      more(this.data?.next, href(['drills'], { ...query, cursor: this.data?.next })));
  }

  one() {
    const { drill } = this;
    const back = { href: '#/drills', text: 'All drills' };
    if (!drill) return page(this.title, { back }, problem(this.failed));
    return page(drill.title, { back, lead: html`${badge(drill.verdict, TONES[drill.verdict])} ${drill.sentence}`, actions: drill.report ? html`<a class="button" href=${drill.report} target="_blank" rel="noopener">Open the report</a>` : nothing },
      card('Run', facts([['Drill', drill.drill], ['Target', drill.target], ['Started', time(drill.started_at)], ['Took', seconds(drill)], ['Published by', drill.published_by]])),
      table({ caption: 'Promises', head: ['Promise', 'Verdict', 'Observed'], rows: drill.promises.map((each) => [each.promise, badge(each.verdict, TONES[each.verdict]), each.description]) }),
      html`<details><summary>Journal</summary><pre class="code-block" tabindex="0">${JSON.stringify(this.journal, null, 2)}</pre></details>`, nothing);
  }
}
