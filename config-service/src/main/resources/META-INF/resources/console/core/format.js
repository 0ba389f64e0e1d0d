// Numbers, durations and times as text.

const NUMBER = new Intl.NumberFormat('en');
const LOCAL = new Intl.DateTimeFormat(undefined, {
  year: 'numeric', month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false,
});

export const number = (value) => value === null || value === undefined ? '–' : NUMBER.format(value);

export const millis = (value) => value === null || value === undefined ? '–'
  : value >= 10_000 ? duration(value / 1000) : `${NUMBER.format(Math.round(value))} ms`;

export function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

export const percent = (part, whole) => whole > 0 ? Math.min(100, (100 * part) / whole) : 0;

export const localTime = (iso) => LOCAL.format(new Date(iso));
export const utcTime = (iso) => new Date(iso).toISOString().slice(0, 19).replace('T', ' ') + ' UTC';
export const isUtcHere = () => new Date().getTimezoneOffset() === 0;

/** Text that shows characters which a reader would not see: direction marks, zero-width and control characters. */
export function visible(text) {
  return String(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\u27e8U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`);
}
