// Entries of one kind: list, search by prefix, and a form that creates or edits one. Which entry is open is part of the address.
import { html, nothing } from '../core/lit.js';
import { api, entryPath } from '../core/api.js';
import { go, href } from '../core/router.js';
import { Screen } from '../core/screen.js';
import { button, card, code, confirm, empty, errorOf, field, more, page, problem, search, table, toast } from '../core/ui.js';
import { number } from '../core/format.js';
import { KINDS } from '../core/kinds.js';

export default class Entries extends Screen {
  get collection() { return this.context.collection; }

  get kind() { return KINDS[this.collection]; }

  get title() { return this.kind.title; }

  get filters() {
    const { edit, add, ...filters } = this.query;
    return filters;
  }

  async load() {
    this.values = Object.fromEntries(this.kind.fields.map((each) => [each.name, this.query[`set-${each.name}`] ?? each.initial ?? '']));
    const filters = Object.fromEntries(Object.entries(this.filters).filter(([name]) => !name.startsWith('set-')));
    this.data = await api.get(this.collection, { limit: 100, ...filters });
    if (this.query.edit) {
      const { body, etag } = await api.read(entryPath(this.collection, this.query.edit));
      this.values = { ...this.values, ...body };
      this.etag = etag;
    }
    this.open = Boolean(this.query.edit || this.query.add);
  }

  document() {
    const given = this.kind.fields.map(({ name, whole }) => {
      const value = this.values[name];
      return [name, whole && /^-?\d{1,15}$/.test(String(value).trim()) ? Number(value) : value];
    }).filter(([, value]) => value !== '' && value !== undefined && value !== null && value !== false);
    return Object.fromEntries(given);
  }

  close() {
    const { edit, add, ...rest } = this.query;
    go([this.collection], Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('set-'))));
  }

  async save() {
    const stored = await this.attempt(() => this.query.edit
      ? api.put(entryPath(this.collection, this.query.edit), this.document(), { ifMatch: this.etag })
      : api.post(this.collection, this.document()));
    if (stored) {
      toast(`The ${this.kind.one} is stored`);
      this.close();
    } else {
      document.querySelector('[aria-invalid=true]')?.focus();
    }
  }

  async remove(entry) {
    const id = this.kind.id(entry);
    const clients = this.collection === 'tiers' ? await api.get('client-tiers', { tier: entry.name, limit: 1000 }) : null;
    const sure = await confirm({
      title: `Delete ${this.kind.one}?`, action: 'Delete 1 entry',
      body: html`<p>This deletes <strong>1</strong> ${this.kind.one}, ${code(id)}, in every region within a second.</p>
        ${clients ? html`<p><strong>${number(clients.items.length)}${clients.next ? ' or more' : ''}</strong> clients have this tier${clients.items.length ? '; the service refuses to delete it while they do' : ''}.</p>` : nothing}`,
    });
    if (!sure) return;
    await this.attempt(() => api.delete(entryPath(this.collection, id)));
    if (!this.failed) {
      toast('Deleted');
      await this.load();
      this.update();
    }
  }

  template() {
    const { kind, query } = this;
    const isFiltered = kind.filters.some((each) => query[each.name]);
    const add = html`<a class="button primary" href=${href([this.collection], { add: 'true' })}>Add ${kind.one}</a>`;
    return page(kind.title, {
      lead: kind.lead,
      actions: this.canEdit ? html`${kind.isList ? html`<a class="button" href=${href([this.collection, 'import'])}>Import…</a>` : nothing}${add}` : nothing,
    },
    this.open && this.canEdit ? this.form() : problem(this.failed),
    search({ label: kind.title, fields: kind.filters.map((each) => ({ ...each, value: query[each.name] })), action: (values) => go([this.collection], values) }),
    this.data ? table({
      caption: kind.title, head: [...kind.columns, ...(this.canEdit ? [{ text: 'Actions' }] : [])],
      rows: this.data.items.map((each) => [...kind.row(each), ...(this.canEdit ? [html`<div class="actions">
        <a class="button" href=${href([this.collection], { ...query, edit: kind.id(each) })} aria-label=${`Edit ${kind.id(each)}`}>Edit</a>
        ${button('Delete', () => this.remove(each), { tone: 'danger', label: `Delete ${kind.id(each)}` })}</div>`] : [])]),
      empty: isFiltered ? empty('Nothing fits', 'Search for less.', html`<a class="button" href=${href([this.collection])}>Show all</a>`)
        : empty(`No ${kind.one} yet`, kind.empty, this.canEdit ? add : nothing),
    }) : nothing,
    more(this.data?.next, href([this.collection], { ...query, cursor: this.data?.next })));
  }

  form() {
    const { kind } = this;
    const names = kind.fields.map((each) => each.name);
    return card(this.query.edit ? html`Edit ${code(this.query.edit)}` : `New ${kind.one}`, html`
      <form @submit=${(event) => { event.preventDefault(); this.save(); }}>
        ${problem(this.failed, (name) => names.includes(name))}
        <div class="row">${kind.fields.map((each) => field({
          id: 'e-' + each.name, label: each.label, kind: each.kind || 'text', hint: each.hint, required: each.required, value: this.values[each.name], error: errorOf(this.failed, each.name),
          change: (value) => { this.values = { ...this.values, [each.name]: value }; },
        }))}</div>
        <div class="actions">${button(this.busy ? 'Saving…' : 'Save', null, { tone: 'primary', type: 'submit', disabled: this.busy })}${button('Cancel', () => this.close())}</div>
      </form>`);
  }
}
