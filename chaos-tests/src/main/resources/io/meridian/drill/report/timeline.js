'use strict';
(() => {
  const D = JSON.parse(document.getElementById('data').textContent);
  const NS = 'http://www.w3.org/2000/svg';
  const PHASES = {WARM_UP: 'warm-up', CONTROL: 'control', FAULT: 'fault', RECOVERY: 'recovery', QUIET: 'quiet'};
  const SHARING = {
    ESCROW: ['escrow', 'Regions spend only what leaders granted to them: all together never more than the limit, in every execution.'],
    CONVERGE: ['converge', 'Regions share their usage: all together the limit, plus the requests of one loop delay; once per part while the network is split.'],
    REGIONAL: ['regional', 'Each region has the whole limit for itself; twice the limit while it decides without its Redis.'],
  };
  const charts = [];
  const tip = document.getElementById('tip');
  const end = Math.max(D.seconds, 1);

  // ---- small helpers: text is inserted as text, never as markup
  function el(name, attrs, ...kids) { return fill(document.createElement(name), attrs, kids); }
  function sv(name, attrs, ...kids) { return fill(document.createElementNS(NS, name), attrs, kids); }
  function fill(node, attrs, kids) {
    for (const key in attrs || {}) node.setAttribute(key, attrs[key]);
    for (const kid of kids) node.append(kid);
    return node;
  }
  const num = n => Math.round(n).toLocaleString('en');
  const sec = t => t.toFixed(1) + ' s';
  const millis = m => m >= 1000 ? (m / 1000).toFixed(1) + ' s' : Math.round(m) + ' ms';
  const phaseAt = t => { let name = ''; for (const p of D.phases) if (p.from <= t) name = PHASES[p.name] || p.name; return name; };
  const faultsAt = t => D.faults.filter(f => f.from <= t && t <= f.to);
  function nice(max) {
    const raw = Math.max(max, 1) / 4, pow = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map(m => m * pow).find(s => s >= raw && s >= 1) || 10 * pow;
    const ticks = [];
    for (let v = 0; v <= max + step * 0.001; v += step) ticks.push(v);
    return ticks;
  }

  // ---- a chart draws itself at a width, and describes a moment
  const PAD = {left: 92, right: 14};
  function chart(host, label, height, draw, say) {
    const box = el('div', {class: 'chart'});
    host.append(box);
    const one = {box, label, height, draw, say, svg: null, line: null};
    charts.push(one);
    return one;
  }
  function render(one) {
    const width = Math.max(300, one.box.clientWidth), left = width < 520 ? 64 : PAD.left;
    const x = t => left + (width - left - PAD.right) * Math.min(Math.max(t, 0), end) / end;
    const height = typeof one.height === 'function' ? one.height() : one.height;
    const svg = sv('svg', {viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': one.label, tabindex: '0'});
    one.draw({svg, x, left, right: width - PAD.right, width, height});
    one.line = sv('line', {class: 'cross', y1: 0, y2: height, visibility: 'hidden'});
    svg.append(one.line);
    one.box.replaceChildren(svg);
    one.svg = svg;
    one.x = x;
    const time = event => {
      const box = svg.getBoundingClientRect();
      return Math.min(end, Math.max(0, ((event.clientX - box.left) * width / box.width - left) / (width - left - PAD.right) * end));
    };
    svg.addEventListener('pointermove', event => show(one, time(event), event.clientX, event.clientY));
    svg.addEventListener('pointerdown', event => show(one, time(event), event.clientX, event.clientY));
    svg.addEventListener('pointerleave', hide);
    svg.addEventListener('blur', hide);
    svg.addEventListener('keydown', event => {
      const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!by) return;
      event.preventDefault();
      one.at = Math.min(end, Math.max(0, (one.at === undefined ? end / 2 : one.at) + by * end / 100));
      const box = svg.getBoundingClientRect();
      show(one, one.at, box.left + x(one.at) * box.width / width, box.top + box.height / 2);
    });
  }
  function show(one, t, px, py) {
    for (const other of charts) {
      if (!other.line || !other.x) continue;
      const at = other.x(t);
      other.line.setAttribute('x1', at); other.line.setAttribute('x2', at); other.line.setAttribute('visibility', 'visible');
    }
    const rows = [['phase', phaseAt(t)], ...one.say(t)];
    tip.replaceChildren(el('b', {}, sec(t)), ...rows.map(([k, v]) => el('div', {}, el('span', {}, k), el('span', {}, String(v)))),
      ...faultsAt(t).slice(0, 4).map(f => el('div', {}, el('span', {}, '⚡ ' + f.description))));
    tip.hidden = false;
    const w = tip.offsetWidth, h = tip.offsetHeight;
    tip.style.left = Math.max(6, px + 16 + w > innerWidth ? px - w - 16 : px + 16) + 'px';
    tip.style.top = Math.max(6, Math.min(innerHeight - h - 6, py - h / 2)) + 'px';
  }
  function hide() {
    tip.hidden = true;
    for (const one of charts) if (one.line) one.line.setAttribute('visibility', 'hidden');
  }

  // ---- shared by all charts
  function backdrop({svg, x}, top, bottom) {
    for (const f of D.faults) {
      const a = x(f.from), b = Math.max(x(f.to), a + 1.5);
      svg.append(sv('rect', {class: 'fault', x: a, y: top, width: b - a, height: bottom - top}),
        sv('line', {class: 'faultedge', x1: a, x2: a, y1: top, y2: bottom}));
    }
    for (const p of D.phases) if (p.from > 0) svg.append(sv('line', {class: 'phase', x1: x(p.from), x2: x(p.from), y1: top, y2: bottom}));
  }
  function timeAxis({svg, x, left, right}, y) {
    svg.append(sv('line', {class: 'axis', x1: left, x2: right, y1: y, y2: y}));
    const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];
    const step = steps.find(s => (right - left) * s / end >= 62) || 7200;
    for (let t = 0; t <= end; t += step) {
      svg.append(sv('line', {class: 'axis', x1: x(t), x2: x(t), y1: y, y2: y + 4}),
        sv('text', {x: x(t), y: y + 15, 'text-anchor': 'middle'}, t + ' s'));
    }
  }
  function path(points) { return points.map((p, i) => (i ? 'L' : 'M') + p[0].toFixed(1) + ' ' + p[1].toFixed(1)).join(''); }
  function fit(text, pixels) {
    const room = Math.floor(pixels / 7);
    return text.length <= room ? text : room < 3 ? '' : text.slice(0, room - 1) + '…';
  }
  function legend(host, entries) {
    host.append(el('div', {class: 'legend'}, ...entries.map(([shape, description]) =>
      el('span', {}, sv('svg', {viewBox: '0 0 22 12', 'aria-hidden': 'true'}, ...shape()), description))));
  }
  const line = cls => () => [sv('line', {class: cls, x1: 0, x2: 22, y1: 6, y2: 6})];
  const block = cls => () => [sv('rect', {class: cls, x: 2, y: 1, width: 18, height: 10})];
  const hatched = () => [sv('rect', {fill: 'url(#hatch)', stroke: 'var(--denied)', x: 2, y: 1, width: 18, height: 10})];
  const crossed = () => [sv('path', {class: 'failed', d: 'M7 2l8 8M15 2l-8 8'})];
  const diamond = () => [sv('path', {class: 'mark', d: 'M11 1l5 5-5 5-5-5z'})];
  const triangle = () => [sv('path', {class: 'degraded', d: 'M11 2l5 8h-10z'})];
  document.body.append(sv('svg', {width: 0, height: 0, style: 'position:absolute', 'aria-hidden': 'true'}, sv('defs', {},
    sv('pattern', {id: 'hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'},
      sv('line', {x1: 0, y1: 0, x2: 0, y2: 5, stroke: 'var(--denied)', 'stroke-width': 3.2})))));

  // ---- phases, faults and leaders
  function events() {
    const host = document.getElementById('events');
    const shown = D.faults.slice(0, 30), rows = Math.max(1, shown.length), changes = leaderMarks();
    const top = 26, bar = 29, leadersAt = top + rows * bar + 8, bottom = leadersAt + 26;
    legend(host, [[block('faultbar'), 'a fault, from begin to end'], [diamond, 'a partition got another leader'],
      [() => [sv('circle', {class: 'mark none', cx: 11, cy: 6, r: 4})], 'a partition had none']]);
    if (D.faults.length > shown.length) host.append(el('p', {class: 'note'}, `The first ${shown.length} of ${D.faults.length} faults are shown.`));
    const label = 'Phases and faults: ' + D.faults.slice(0, 10).map(f => `${f.description} from ${sec(f.from)} to ${sec(f.to)}`).join('; ');
    chart(host, label, bottom + 22, c => {
      const {svg, x, left, right} = c;
      D.phases.forEach((p, i) => {
        const a = x(p.from), b = x(p.to);
        svg.append(sv('rect', {class: 'phasebox' + (i % 2 ? ' odd' : ''), x: a, y: 0, width: Math.max(0, b - a), height: 20}),
          sv('text', {class: 'strong', x: (a + b) / 2, y: 14, 'text-anchor': 'middle'}, fit(PHASES[p.name] || p.name, b - a)));
      });
      backdrop(c, 20, bottom);
      if (!shown.length) svg.append(sv('text', {x: left + 8, y: top + 16}, 'no fault was seen'));
      shown.forEach((f, i) => {
        const y = top + i * bar, a = x(f.from), b = Math.max(x(f.to), a + 3), after = right - b, before = a - left;
        svg.append(sv('rect', {class: 'faultbar', x: a, y: y + 3, width: b - a, height: 8, rx: 2}));
        const description = f.description + (f.ended ? ` (${sec(f.to - f.from)})` : ' (never ended)');
        const onRight = Math.max(after, right - a) >= before || description.length * 7 < right - a;
        svg.append(sv('text', {class: 'strong', x: onRight ? a : b, y: y + 22, 'text-anchor': onRight ? 'start' : 'end'},
          fit(description, onRight ? right - a : b - left)));
      });
      svg.append(sv('text', {x: left - 8, y: leadersAt + 12, 'text-anchor': 'end'}, 'leaders'));
      for (const mark of changes) {
        const at = x(mark.at);
        svg.append(mark.none
          ? sv('circle', {class: 'mark none', cx: at, cy: leadersAt + 8, r: 4})
          : sv('path', {class: 'mark', d: `M${at} ${leadersAt + 2}l6 6-6 6-6-6z`}));
      }
      timeAxis(c, bottom);
    }, t => {
      const near = changes.filter(m => Math.abs(m.at - t) < end / 80).slice(0, 3);
      return near.map(m => [m.none ? 'no leader' : 'leads: ' + m.leaders, m.partitions]);
    });
  }
  /** Leaders seen within half a second of each other are one mark; those of the beginning are no change. */
  function leaderMarks() {
    const known = new Map(), marks = [];
    for (const seen of D.leaders) {
      const before = known.get(seen.partition);
      known.set(seen.partition, seen.leader);
      if (before === undefined || before === seen.leader) continue;
      const last = marks[marks.length - 1], none = seen.leader === '';
      if (last && last.none === none && seen.at - last.at < 0.5) { last.list.push(seen); } else { marks.push({at: seen.at, none, list: [seen]}); }
    }
    for (const mark of marks) {
      mark.leaders = [...new Set(mark.list.map(s => s.leader))].join(', ');
      mark.partitions = mark.list.length === 1 ? 'partition ' + mark.list[0].partition : mark.list.length + ' partitions';
    }
    return marks;
  }

  // ---- a policy
  function policy(p) {
    const [word, promise] = SHARING[p.sharing];
    const id = 'p-' + charts.length;
    const host = el('section', {'aria-labelledby': id}, el('h2', {id}, p.name, el('span', {class: 'tag'}, word)),
      el('p', {class: 'note'}, `Limit ${num(p.limit)} in each window of ${p.window} s${p.sharing === 'REGIONAL' ? ' and region' : ''}. ${promise}`));
    document.getElementById('policies').append(host);
    rising(host, p);
    rates(host, p);
  }
  /** The lines of a policy: for each window the running total, from the stretches in which it grew. */
  function totals(p, region) {
    const byEnd = new Map(p.windows.map(w => [String(w.window_end_micros), w]));
    return Object.entries(p.admitted[region] || {}).map(([endMicros, grown]) => {
      const w = byEnd.get(endMicros), points = [];
      let sum = 0;
      for (const [bucket, n] of Object.entries(grown).sort((a, b) => a[0] - b[0])) {
        if (!points.length) points.push([Math.max(0, Math.min(Number(bucket) * D.step, w ? w.to_seconds : end)), 0]);
        sum += n;
        points.push([Math.min((Number(bucket) + 1) * D.step, Math.max(w ? w.to_seconds : end, points[points.length - 1][0]), end), sum]);
      }
      const to = w ? Math.min(w.to_seconds, end) : end;
      if (points[points.length - 1][0] < to) points.push([to, sum]);
      return {w, from: w ? w.from_seconds : points[0][0], to, points, sum};
    });
  }
  /** An excess over the bound in the warm-up is not judged. */
  function isBroken(w) { return w.judged && !w.kept; }
  function rising(host, p) {
    const regional = p.sharing === 'REGIONAL', names = regional ? D.regions : [''];
    const lines = names.map(name => ({name, windows: totals(p, name)}));
    const spans = new Map();
    for (const w of p.windows) {
      const s = spans.get(w.window_end_micros) || {from: w.from_seconds, to: w.to_seconds, bound: 0, most: 0, broken: false, parts: 1, degraded: 0};
      s.bound = Math.max(s.bound, w.bound); s.most = Math.max(s.most, w.admitted); s.broken = s.broken || isBroken(w);
      s.parts = w.parts; s.degraded += w.degraded;
      spans.set(w.window_end_micros, s);
    }
    const windows = [...spans.values()];
    const max = 1.12 * Math.max(p.limit, ...windows.map(w => Math.max(w.bound, w.most)));
    host.append(el('h4', {}, regional ? 'Used in each window, a line for each region' : 'Used in each window, all regions together'));
    legend(host, [[line('total'), 'admitted so far in the window'], [line('limit'), 'the limit'],
      [line('bound'), 'the bound: what is promised for what went on'], [block('fault'), 'a fault is in effect'],
      ...(windows.some(w => w.broken) ? [[block('above'), 'above the bound']] : [])]);
    const worst = Math.max(0, ...windows.map(w => w.most));
    chart(host, `${p.name}: admitted in each window against the limit of ${p.limit}; the fullest window has ${worst}`, 230, c => {
      const {svg, x, left, right} = c, top = 16, bottom = 208, y = v => bottom - (bottom - top) * v / max;
      backdrop(c, top, bottom);
      for (const v of nice(max)) {
        svg.append(sv('line', {class: 'grid', x1: left, x2: right, y1: y(v), y2: y(v)}),
          sv('text', {x: left - 8, y: y(v) + 4, 'text-anchor': 'end'}, num(v)));
      }
      for (const l of lines) for (const w of l.windows) {
        const points = w.points.map(([t, v]) => [x(t), y(v)]);
        if (!regional) svg.append(sv('path', {class: 'area', d: path(points) + `L${x(w.to)} ${bottom}L${points[0][0]} ${bottom}Z`}));
        svg.append(sv('path', {class: 'total', d: path(points)}));
      }
      for (const w of windows) {
        const a = x(w.from), b = x(w.to);
        if (w.broken) svg.append(sv('rect', {class: 'above', x: a, y: y(w.most), width: b - a, height: Math.max(2, y(w.bound) - y(w.most))}),
          sv('text', {class: 'strong', x: (a + b) / 2, y: y(w.most) - 4, 'text-anchor': 'middle', style: 'fill:var(--bad)'},
            b - a > 96 ? `✕ ${num(w.most)} of ${num(w.bound)}` : '✕ ' + num(w.most)));
        if (w.bound !== p.limit) svg.append(sv('line', {class: 'bound', x1: a, x2: b, y1: y(w.bound), y2: y(w.bound)}));
        if (w.parts > 1 && b - a > 46) svg.append(sv('text', {x: a + 4, y: y(w.bound) - 4}, fit(w.parts + ' parts', b - a - 4)));
      }
      svg.append(sv('line', {class: 'limit', x1: left, x2: right, y1: y(p.limit), y2: y(p.limit)}),
        sv('text', {class: 'strong', x: right, y: y(p.limit) - 4, 'text-anchor': 'end'}, 'limit ' + num(p.limit)));
      timeAxis(c, bottom);
    }, t => {
      const rows = [];
      for (const l of lines) {
        const w = l.windows.filter(one => one.from <= t && t <= one.to).pop();
        if (w) rows.push([l.name || 'admitted so far', num((w.points.filter(q => q[0] <= t).pop() || [0, 0])[1]) + (regional ? ' of ' + num(w.sum) : '')],
          ...(regional ? [] : [['in the whole window', num(w.sum)]]));
      }
      const s = windows.find(one => one.from <= t && t < one.to);
      return [...rows, ['limit', num(p.limit)], ...(s ? [['bound', num(s.bound)], ...(s.parts > 1 ? [['network in', s.parts + ' parts']] : []),
        ...(s.degraded ? [['without Redis', num(s.degraded)]] : [])] : [])];
    });
  }
  /** Small multiples: a row for each region, allowed below and denied on top of it, per second. */
  function rates(host, p) {
    const group = Math.max(1, Math.round(1 / D.step)), bin = group * D.step, bins = Math.ceil(end / bin);
    const rows = D.regions.map(region => {
      const sums = {};
      for (const what of ['allowed', 'denied', 'failed', 'degraded']) {
        sums[what] = new Array(bins).fill(0);
        (p.rates[region] ? p.rates[region][what] : []).forEach((n, i) => { const b = Math.min(bins - 1, Math.floor(i / group)); sums[what][b] += n; });
      }
      return {region, ...sums};
    });
    const any = what => rows.some(r => r[what].some(n => n));
    const max = Math.max(1, ...rows.map(r => Math.max(...r.allowed.map((n, i) => n + r.denied[i])))) / bin;
    host.append(el('h4', {}, 'Answers per second in each region'));
    legend(host, [[block('allowed'), 'allowed'], [hatched, 'denied'],
      ...(any('degraded') ? [[triangle, 'decided without Redis']] : []), ...(any('failed') ? [[crossed, 'failed']] : [])]);
    const each = 46, top = 4, bottom = top + rows.length * each;
    chart(host, `${p.name}: allowed and denied answers per second in ${D.regions.join(', ')}`, bottom + 22, c => {
      const {svg, x, left, right} = c;
      backdrop(c, top, bottom);
      rows.forEach((r, k) => {
        const base = top + (k + 1) * each - 4, high = each - 14, h = n => high * n / bin / max;
        svg.append(sv('line', {class: 'grid', x1: left, x2: right, y1: base, y2: base}),
          sv('text', {class: 'strong', x: left - 8, y: base - 14, 'text-anchor': 'end'}, fit(r.region, left - 8)),
          sv('text', {x: left - 8, y: base, 'text-anchor': 'end'}, k === 0 ? 'to ' + num(max) + '/s' : ''));
        let allowed = '', denied = '';
        for (let i = 0; i < bins; i++) {
          const a = x(i * bin), w = Math.max(0.5, x(Math.min(end, (i + 1) * bin)) - a), ha = h(r.allowed[i]), hd = h(r.denied[i]);
          if (ha) allowed += `M${a.toFixed(1)} ${base}v${-ha.toFixed(1)}h${w.toFixed(1)}v${ha.toFixed(1)}z`;
          if (hd) denied += `M${a.toFixed(1)} ${(base - ha).toFixed(1)}v${-hd.toFixed(1)}h${w.toFixed(1)}v${hd.toFixed(1)}z`;
        }
        svg.append(sv('path', {class: 'allowed', d: allowed}), sv('path', {fill: 'url(#hatch)', d: denied}));
        for (let i = 0; i < bins; i++) {
          const at = x(Math.min(end, (i + 0.5) * bin));
          if (r.degraded[i]) svg.append(sv('path', {class: 'degraded', d: `M${at} ${base - high - 8}l4 7h-8z`}));
          if (r.failed[i]) svg.append(sv('path', {class: 'failed', d: `M${at - 3} ${base - 7}l6 6M${at + 3} ${base - 7}l-6 6`}));
        }
      });
      timeAxis(c, bottom);
    }, t => {
      const i = Math.min(bins - 1, Math.floor(t / bin));
      return rows.map(r => [r.region, `${num(r.allowed[i] / bin)} allowed, ${num(r.denied[i] / bin)} denied`
        + (r.degraded[i] ? `, ${num(r.degraded[i])} without Redis` : '') + (r.failed[i] ? `, ${num(r.failed[i])} failed` : '')]);
    });
  }

  // ---- the loop
  function loop() {
    const host = document.getElementById('loop');
    const samples = Object.values(D.loops).flat();
    if (!samples.length) { host.append(el('p', {class: 'note'}, 'No region reported its loop delay.')); return; }
    host.append(el('p', {class: 'note'}, 'The delay from a region’s report to the verdict on it, as the maximum of its last minute, and the time since it last received from its leaders. The scale is logarithmic; the marked line is one second.'));
    legend(host, [[line('loopline'), 'loop delay'], [line('silence'), 'silence of the centre']]);
    const most = Math.max(1000, ...samples.map(s => Math.max(s[1], s[2]))), low = 1, high = Math.ceil(Math.log10(most * 1.1));
    const each = 62, top = 4, bottom = top + D.regions.length * each;
    chart(host, 'Loop delay and time without verdicts for each region; slowest ' + millis(most), bottom + 22, c => {
      const {svg, x, left, right} = c;
      backdrop(c, top, bottom);
      D.regions.forEach((region, k) => {
        const base = top + (k + 1) * each - 4, tall = each - 12;
        const y = ms => base - tall * (Math.min(high, Math.max(low, Math.log10(Math.max(ms, 10)))) - low) / (high - low);
        for (let e = low; e <= high; e++) {
          svg.append(sv('line', {class: e === 3 ? 'axis' : 'grid', x1: left, x2: right, y1: y(10 ** e), y2: y(10 ** e)}));
        }
        svg.append(sv('text', {x: right, y: y(1000) - 2, 'text-anchor': 'end', style: 'font-size:10px'}, '1 s'));
        svg.append(sv('text', {class: 'strong', x: left - 8, y: base - tall / 2 + 4, 'text-anchor': 'end'}, fit(region, left - 8)));
        for (const [index, cls] of [[2, 'silence'], [1, 'loopline']]) {
          let run = [];
          for (const s of [...(D.loops[region] || []), [end, -1, -1]]) {
            if (s[index] >= 0) { run.push([x(s[0]), y(s[index])]); } else if (run.length) { svg.append(sv('path', {class: cls, d: path(run)})); run = []; }
          }
        }
      });
      timeAxis(c, bottom);
    }, t => D.regions.map(region => {
      const s = (D.loops[region] || []).filter(one => one[0] <= t).pop();
      return [region, s ? (s[1] < 0 ? 'not reported' : millis(s[1])) + (s[2] < 0 ? '' : ', silent ' + millis(s[2])) : 'not seen'];
    }));
  }

  // ---- the table
  function table() {
    const host = document.getElementById('windows');
    for (const p of D.policies) {
      const regional = p.sharing === 'REGIONAL', broken = p.windows.filter(isBroken).length;
      const heads = ['window', 'ends (UTC)', 'kept', ...(regional ? ['region'] : []), 'requested', 'admitted', 'limit', 'bound', 'without Redis',
        ...(p.sharing === 'CONVERGE' ? ['parts', 'loop'] : []), ...(regional ? [] : D.regions)];
      const body = el('tbody');
      for (const w of p.windows.slice(0, 2000)) {
        const cells = [`${w.from_seconds.toFixed(0)} to ${w.to_seconds.toFixed(0)} s`, w.ends, !w.judged ? 'not judged' : w.kept ? '✓ yes' : '✕ no', ...(regional ? [w.region] : []), num(w.requested), num(w.admitted),
          num(w.limit), num(w.bound), num(w.degraded), ...(p.sharing === 'CONVERGE' ? [w.parts, millis(w.loop_millis)] : []),
          ...(regional ? [] : D.regions.map(r => num(w.by_region[r] || 0)))];
        body.append(el('tr', isBroken(w) ? {class: 'broken'} : {}, ...cells.map(cell => el('td', {}, String(cell)))));
      }
      const details = el('details', regional && !broken ? {} : {open: ''}, el('summary', {}, p.name + ' ',
        el('span', {class: 'sub'}, `${p.windows.length} ${regional ? 'windows of regions' : 'windows'}, ${broken} above the bound`)),
      el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Windows of ' + p.name},
        el('table', {}, el('thead', {}, el('tr', {}, ...heads.map(h => el('th', {scope: 'col'}, h)))), body)));
      host.append(details);
    }
  }

  events();
  D.policies.forEach(policy);
  loop();
  table();
  charts.forEach(render);
  let wide = innerWidth;
  addEventListener('resize', () => { if (innerWidth !== wide) { wide = innerWidth; hide(); charts.forEach(render); } });
  addEventListener('beforeprint', () => { document.querySelectorAll('details').forEach(d => { d.open = true; }); });
  document.documentElement.dataset.drawn = String(charts.length);
})();
