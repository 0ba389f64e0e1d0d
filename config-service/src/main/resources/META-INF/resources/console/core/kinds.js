// Kinds of entries besides policies: their columns, their fields, and what to say when there is none.
import { html, nothing } from './lit.js';
import { href } from './router.js';
import { badge, code, time } from './ui.js';
import { number } from './format.js';

const clientLink = (each) => html`<a href=${href(['clients', each.identifier_type, each.identifier])}>${code(`${each.identifier_type}:${each.identifier}`)}</a>`;
const expiry = (each) => each.expires_at ? html`${Date.parse(each.expires_at) < Date.now() ? badge('expired', 'warn') : nothing} ${time(each.expires_at)}` : 'never';

const TYPE = { name: 'identifier_type', label: 'Identifier type', hint: 'user_id, api_key, ip, tenant, or an attribute of yours.', required: true, initial: 'user_id' };
const IDENTIFIER = { name: 'identifier', label: 'Identifier', hint: 'An ip may be a prefix, 203.0.113.0/24.', required: true };
const EXPIRES = { name: 'expires_at', label: 'Expires at', kind: 'datetime', hint: 'In UTC, as 2027-01-31T00:00:00Z. Empty: never.' };
const idOf = (each) => `${each.identifier_type}:${each.identifier}`;

const listKind = (title, lead, first) => ({
  title, one: 'entry', lead, id: idOf, isList: true,
  columns: ['Client', 'Reason', 'Expires', 'By'],
  row: (each) => [clientLink(each), each.reason || nothing, expiry(each), html`${each.created_by || '–'}<br><small>${time(each.updated_at)}</small>`],
  fields: [TYPE, IDENTIFIER, { name: 'reason', label: 'Reason' }, EXPIRES],
  filters: [{ name: 'prefix', label: 'Begins with', placeholder: 'ip:203.0.' }],
  empty: first,
});

export const KINDS = {
  tiers: {
    title: 'Tiers', one: 'tier', lead: 'Service levels of clients. Policies select clients by tier.', id: (each) => each.name,
    columns: ['Name', 'Description', 'Upgrade', 'Changed'],
    row: (each) => [html`<a href=${href(['client-tiers'], { tier: each.name })}>${each.name}</a> ${each.default ? badge('default', 'good') : nothing}`, each.description || nothing,
      each.upgrade_url ? code(each.upgrade_url) : '–', time(each.updated_at)],
    fields: [{ name: 'name', label: 'Name', required: true }, { name: 'description', label: 'Description' },
      { name: 'upgrade_url', label: 'Upgrade URL', hint: 'Sent in the 429 of its clients.' }, { name: 'default', label: 'Clients without a tier have this one', kind: 'check' }],
    filters: [{ name: 'prefix', label: 'Begins with' }],
    empty: 'Create a tier, then map clients to it and let policies name it.',
  },
  'client-tiers': {
    title: 'Client tiers', one: 'client tier', lead: 'Which client has which tier; the others have the default tier.', id: idOf,
    columns: ['Client', 'Tier', 'By'],
    row: (each) => [clientLink(each), badge(each.tier), html`${each.created_by || '–'}<br><small>${time(each.updated_at)}</small>`],
    fields: [TYPE, IDENTIFIER, { name: 'tier', label: 'Tier', required: true }],
    filters: [{ name: 'prefix', label: 'Begins with', placeholder: 'user_id:' }, { name: 'tier', label: 'Tier' }],
    empty: 'Map a client, for example user_id 42, to a tier.',
  },
  overrides: {
    title: 'Overrides', one: 'override', lead: 'Another limit and burst of one policy for one client.', id: (each) => `${each.policy}:${idOf(each)}`,
    columns: ['Policy', 'Client', 'Limit', 'Burst', 'Expires'],
    row: (each) => [html`<a href=${href(['policies', each.policy])}>${each.policy}</a>`, clientLink(each), number(each.limit), number(each.burst || 0), expiry(each)],
    fields: [{ name: 'policy', label: 'Policy', required: true }, TYPE, IDENTIFIER, { name: 'limit', label: 'Limit', whole: true, required: true },
      { name: 'burst', label: 'Burst', whole: true, hint: 'Buckets only.' }, EXPIRES],
    filters: [{ name: 'prefix', label: 'Begins with', placeholder: 'free-per-day:user_id:' }, { name: 'policy', label: 'Policy' }],
    empty: 'Give one client a limit of its own, here or on the client’s page.',
  },
  'allow-list': listKind('Allow list', 'Clients that no policy limits.', 'Add a client that must never be limited, or import a file.'),
  'deny-list': listKind('Deny list', 'Clients that are answered 403. The deny list precedes the allow list.', 'Add a client that must be refused, or import a file.'),
};
