// Differences of two documents, field by field.

/** Fields that the service maintains; they are no part of a change. */
const MAINTAINED = new Set(['version', 'created_at', 'updated_at', 'created_by', 'warnings']);

/** Paths with their values before and after, in the order of the paths. Lists are compared as a whole. */
export function differences(before, after) {
  const old = flat(before);
  const now = flat(after);
  return [...new Set([...old.keys(), ...now.keys()])].sort()
    .filter((path) => old.get(path) !== now.get(path))
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }));
}

function flat(document) {
  const found = new Map();
  walk(document || {}, '', found);
  return found;
}

function walk(value, path, found) {
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    Object.entries(value).forEach(([name, each]) => {
      if (path || !MAINTAINED.has(name)) walk(each, path ? `${path}.${name}` : name, found);
    });
  } else if (!isEmpty(value) || path === 'key') {
    found.set(path, JSON.stringify(value));
  }
}

/** No value, or an empty text or list, which the service stores for a field that is not given. */
const isEmpty = (value) => value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** A document without empty fields and those that the service maintains, to be edited. */
export function editable(document) {
  return Object.fromEntries(Object.entries(document)
    .filter(([name]) => !MAINTAINED.has(name))
    .map(([name, value]) => [name, name === 'applies_to' ? editable(value) : value])
    .filter(([name, value]) => name === 'key' || !isEmpty(value)));
}
