// Addresses of states: #/path?query. The fragment is sent to no server, so that a sign-in code is in no access log.

/** The present address. A segment that is no valid encoding is taken as it stands. */
export function location() {
  const [path, query = ''] = window.location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { segments: path.split('/').filter(Boolean).map(decoded), query: Object.fromEntries(new URLSearchParams(query)) };
}

function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function href(segments, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given).toString();
  return '#/' + [segments].flat().map(encodeURIComponent).join('/') + (text ? '?' + text : '');
}

export function go(segments, query) {
  window.location.hash = href(segments, query).slice(1);
}

/** Replaces the present address, so that the way back skips it. */
export function replace(segments, query) {
  window.history.replaceState(null, '', href(segments, query));
}
