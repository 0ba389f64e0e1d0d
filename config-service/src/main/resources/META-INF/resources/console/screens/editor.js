// Editor of a policy: form and text of the same document, checked by the service at every pause of typing.
import { html, nothing } from '../core/lit.js';
import { api, entryPath, optional, Problem } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { ask, button, card, changes, field, notice, page, problem, toast } from '../core/ui.js';
import { differences, editable } from '../core/diff.js';
import { isFormField, policyForm, withValue } from '../core/policy-form.js';
import { runWhatIf, whatIfResult } from '../core/what-if.js';
import { chooseBetween } from '../core/conflict.js';

const CHECK_AFTER_MS = 350;
const START = { id: '', key: ['user_id'], algorithm: 'sliding_window_counter', limit: 100, window: '1m', action: 'log_only' };

export default class Editor extends Screen {
  get isNew() { return !this.context.params.id; }

  get title() { return this.isNew ? 'New policy' : `Edit ${this.context.params.id}`; }

  async load() {
    this.yaml = await import('../lib/js-yaml/js-yaml.js');
    this.format = this.query.format === 'json' ? 'json' : 'yaml';
    this.raw = {};
    const [tiers, regions, stored] = await Promise.all([
      optional(() => api.get('tiers', { limit: 100 })), optional(() => api.get('regions')),
      this.isNew ? null : api.read(entryPath('policies', this.context.params.id))]);
    this.known = { tiers: (tiers?.items || []).map((each) => each.name), regions: (regions?.items || []).map((each) => each.region) };
    this.base = stored?.body || null;
    this.etag = stored?.etag;
    let copied = null;
    if (this.isNew && this.query.copy) copied = { ...await api.get(entryPath('policies', this.query.copy)), id: '' };
    this.draft = stored ? editable(stored.body) : copied ? editable(copied) : START;
    this.write();
  }

  /** The text of the draft. */
  write() {
    this.text = this.format === 'json' ? JSON.stringify(this.draft, null, 2) : this.yaml.dump(this.draft, { lineWidth: 100, noRefs: true });
    this.textError = null;
  }

  changeField(path, text, value) {
    this.raw[path] = text;
    this.draft = withValue(this.draft, path, value);
    this.write();
    this.checkSoon();
  }

  changeText(text) {
    this.text = text;
    this.raw = {};
    try {
      const read = this.format === 'json' ? JSON.parse(text) : this.yaml.load(text, { schema: this.yaml.CORE_SCHEMA });
      if (read === null || typeof read !== 'object' || Array.isArray(read)) throw new Error('a policy is an object with fields');
      this.draft = read;
      this.textError = null;
      this.checkSoon();
    } catch (malformed) {
      this.textError = malformed.message.split('\n')[0];
      this.update();
    }
  }

  changeFormat(format) {
    this.format = format;
    this.write();
    this.update();
  }

  checkSoon() {
    clearTimeout(this.checking);
    this.review = null;
    this.checking = setTimeout(() => this.check(), CHECK_AFTER_MS);
    this.update();
  }

  /** A dry run of the save. Only the answer to the latest one counts. */
  async check() {
    const draft = this.draft;
    try {
      const { body } = await this.save(true);
      if (draft === this.draft) {
        this.failed = null;
        this.warnings = body.warnings || [];
        this.result = body;
      }
    } catch (failed) {
      if (!(failed instanceof Problem)) throw failed;
      if (draft === this.draft && failed.status !== 412) this.failed = failed;
    }
    this.checked = draft;
    this.update();
  }

  save(dryRun) {
    const query = dryRun ? { dry_run: true } : {};
    return this.isNew
      ? api.post('policies', this.draft, query).then((body) => ({ body }))
      : api.put(entryPath('policies', this.context.params.id), this.draft, { ifMatch: dryRun ? undefined : this.etag, query });
  }

  async openReview() {
    await this.attempt(async () => {
      const { body } = await this.save(true);
      this.warnings = body.warnings || [];
      this.review = differences(this.base || {}, body);
    });
    document.querySelector(this.failed ? '[aria-invalid=true]' : '#review h2')?.focus();
  }

  async store() {
    try {
      this.busy = true;
      this.update();
      const { body } = await this.save(false);
      toast(`${body.id} is stored as version ${body.version}; regions apply it within a second`);
      go(['policies', body.id]);
    } catch (failed) {
      if (!(failed instanceof Problem)) throw failed;
      if (failed.status === 412) await this.resolve();
      else this.failed = failed;
    } finally {
      this.busy = false;
      this.update();
    }
  }

  /** Somebody else changed the policy meanwhile: their version, mine, or field by field. */
  async resolve() {
    const { body, etag } = await api.read(entryPath('policies', this.context.params.id));
    const chosen = await chooseBetween(editable(this.base), editable(body), this.draft, (title, content, answers) => ask(title, content, answers));
    if (!chosen) return;
    this.base = body;
    this.etag = etag;
    this.draft = chosen;
    this.raw = {};
    this.write();
    await this.openReview();
  }

  async tryOut() {
    this.whatIf = await this.attempt(() => runWhatIf(this.draft, this.base ? this.base.id : undefined));
  }

  template() {
    const back = this.isNew ? { href: '#/policies', text: 'All policies' } : { href: href(['policies', this.context.params.id]), text: this.context.params.id };
    if (!this.draft) return page(this.title, { back }, problem(this.failed));
    const readonly = !this.canEdit;
    return page(this.title, {
      back, lead: readonly ? 'A viewer’s token reads only.' : 'Form and text are the same document. The service checks it while you type; nothing changes before you save.',
    },
    problem(this.failed, isFormField),
    (this.warnings || []).map((each) => notice('warn', each)),
    html`<div class="columns">
      <form aria-label="Policy" @submit=${(event) => event.preventDefault()}>
        ${policyForm({ draft: this.draft, raw: this.raw, failed: this.failed, isNew: this.isNew, known: this.known, readonly, change: (path, text, value) => this.changeField(path, text, value) })}
      </form>
      <div class="sticky">
        ${card('As text', html`
          <div class="row">${field({ id: 'format', label: 'Format', value: this.format, choices: [['yaml', 'YAML'], ['json', 'JSON']], change: (format) => this.changeFormat(format) })}</div>
          <div class="field"><label for="text">Document</label>
            <textarea id="text" class="code" spellcheck="false" ?readonly=${readonly} .value=${this.text} aria-invalid=${this.textError ? 'true' : nothing}
              aria-describedby="text-error" @input=${(event) => this.changeText(event.target.value)}></textarea>
            <p id="text-error" class="error" role="status">${this.textError || ''}</p></div>`)}
      </div></div>
    ${readonly ? nothing : html`<div class="actions save">
      ${button('Review and save', () => this.openReview(), { tone: 'primary', disabled: this.busy || Boolean(this.textError) })}
      ${button('What if?', () => this.tryOut(), { disabled: this.busy || Boolean(this.textError) })}
      <span class="muted" role="status">${this.busy ? 'Asking the service…' : this.checked === this.draft && !this.failed ? 'The service accepts this document.' : ''}</span></div>`}
    ${this.whatIf ? whatIfResult(this.whatIf) : nothing}
    ${this.review ? html`<section class="card" id="review"><h2 tabindex="-1">${this.isNew ? 'A new policy' : `${this.review.length} ${this.review.length === 1 ? 'field changes' : 'fields change'}`}</h2>
      ${changes(this.review)}
      <p class="muted">The dry run was accepted. Saved, it is in effect in every connected region within a second.</p>
      <div class="actions">${button(this.isNew ? 'Create' : 'Save', () => this.store(), { tone: 'primary', disabled: this.busy || (!this.isNew && this.review.length === 0) })}
        ${button('Back to editing', () => { this.review = null; this.update(); })}</div></section>` : nothing}`);
  }
}
