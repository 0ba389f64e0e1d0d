// Import of an allow or deny list from a file: a dry run first, then the import, with the progress and the error of each line.
import { html, nothing } from '../core/lit.js';
import { api } from '../core/api.js';
import { href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { button, card, confirm, empty, facts, field, page, problem, table, time } from '../core/ui.js';
import { number } from '../core/format.js';
import { KINDS } from '../core/kinds.js';

export default class Import extends Screen {
  get list() { return this.context.collection; }

  get title() { return `Import into the ${KINDS[this.list].title.toLowerCase()}`; }

  async load() {
    this.mode = 'merge';
    await this.refresh();
  }

  async refresh() {
    this.history = (await api.get('imports', { limit: 50 })).items.filter((each) => each.list === this.list);
  }

  async send(dryRun) {
    const type = /\.(ndjson|jsonl)$/i.test(this.file.name) ? 'application/x-ndjson' : 'text/csv';
    this.watching = true;
    const watch = this.watch();
    const result = await this.attempt(() => api.post('imports', this.file, { list: this.list, mode: this.mode, ...(dryRun ? { dry_run: true } : {}) }, { type }));
    this.watching = false;
    await watch;
    this.wrong = this.failed?.body.errors && this.failed.body.lines !== undefined ? this.failed.body : null;
    if (this.wrong) this.failed = null;
    if (result) this[dryRun ? 'rehearsed' : 'done'] = result;
    await this.refresh();
    this.update();
  }

  /** Shows the import that runs, once a second, until it has ended. */
  async watch() {
    while (this.watching && !this.gone) {
      await new Promise((next) => { setTimeout(next, 700); });
      if (!this.watching) return;
      await this.refresh().catch(() => {});
      this.progress = this.history.find((each) => each.state === 'reading' || each.state === 'applying');
      this.update();
    }
  }

  async run() {
    const { created, replaced, deleted, lines } = this.rehearsed;
    const sure = await confirm({
      title: 'Import these lines?', action: `Import ${number(lines)} lines`, danger: deleted > 0,
      body: html`<ul><li><strong>${number(created)}</strong> entries are created,</li><li><strong>${number(replaced)}</strong> replaced,</li>
        <li><strong>${number(deleted)}</strong> deleted${this.mode === 'replace' ? ', because the file lacks them' : ''}.</li></ul>`,
    });
    if (sure) await this.send(false);
  }

  template() {
    const kind = KINDS[this.list];
    return page(this.title, { back: { href: href([this.list]), text: kind.title }, lead: html`A file of lines <code>identifier_type,identifier,reason,expires_at</code> (CSV, the first line names the columns) or JSON objects (.ndjson). If one line is invalid, nothing is imported.` },
      problem(this.failed),
      this.canEdit ? card('File', html`
        <div class="row">
          <div class="field"><label for="file">File</label><input id="file" type="file" accept=".csv,.ndjson,.jsonl,text/csv" @change=${(event) => {
            [this.file] = event.target.files;
            Object.assign(this, { rehearsed: null, done: null, wrong: null, failed: null });
            this.update();
          }}></div>
          ${field({ id: 'mode', label: 'Entries that the file lacks', value: this.mode, choices: [['merge', 'stay'], ['replace', 'are deleted']], change: (mode) => { this.mode = mode; this.rehearsed = null; this.update(); } })}
        </div>
        <div class="actions">
          ${button('Check the file', () => this.send(true), { tone: this.rehearsed ? '' : 'primary', disabled: !this.file || this.busy })}
          ${this.rehearsed && !this.done ? button(`Import ${number(this.rehearsed.lines)} lines…`, () => this.run(), { tone: 'primary', disabled: this.busy }) : nothing}
        </div>
        ${this.busy ? html`<p role="status">${this.progress ? html`<progress aria-label="Import"></progress> ${this.progress.state}: ${number(this.progress.lines)} lines` : html`<progress aria-label="Upload"></progress> Sending the file…`}</p>` : nothing}
        ${this.rehearsed && !this.done ? html`<p class="alert good" role="status">All ${number(this.rehearsed.lines)} lines are valid: ${number(this.rehearsed.created)} to create, ${number(this.rehearsed.replaced)} to replace, ${number(this.rehearsed.deleted)} to delete.</p>` : nothing}
        ${this.done ? html`<p class="alert good" role="status">Imported ${number(this.done.lines)} lines as revision ${number(this.done.revision)}: ${number(this.done.created)} created, ${number(this.done.replaced)} replaced, ${number(this.done.deleted)} deleted. <a href=${href([this.list])}>To the list</a></p>` : nothing}
        ${this.wrong ? html`<div class="alert bad" role="alert"><strong>${number(this.wrong.wrong)} of ${number(this.wrong.lines)} lines are wrong; nothing was imported.</strong></div>
          ${table({ caption: 'Wrong lines', head: [{ text: 'Line', num: true }, 'Reason'], rows: this.wrong.errors.map((each) => [number(each.line), each.reason]) })}` : nothing}`) : nothing,
      card('Earlier imports', this.history?.length ? table({
        caption: 'Imports', head: ['Started', 'By', 'State', { text: 'Lines', num: true }, 'Result'],
        rows: this.history.map((each) => [time(each.started_at), each.actor, each.state, number(each.lines),
          each.state === 'done' ? `${number(each.created)} created, ${number(each.replaced)} replaced, ${number(each.deleted)} deleted` : each.wrong ? `${number(each.wrong)} wrong ${each.wrong === 1 ? 'line' : 'lines'}` : '–']),
      }) : html`<p class="muted">There is none.</p>`));
  }
}
