// Draws the board of one turn after another. What it draws from is in page_data.h.
'use strict';

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const root = document.documentElement;
  const table = document.getElementById('table');
  const panel = document.getElementById('panel');
  const where = document.getElementById('where');
  const slider = document.getElementById('slider');
  const playerSelect = document.getElementById('player');

  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk';
  const WINDS = [['東', 'East'], ['南', 'South'], ['西', 'West'], ['北', 'North']];
  const HONORS = [['東', 'E'], ['南', 'S'], ['西', 'W'], ['北', 'N'], ['白', 'haku'],
    ['發', 'hatsu'], ['中', 'chun']];
  const WORDS = {
    all: ['全員', 'all players'],
    bad: ['悪手', 'bad move'],
    dora: ['ドラ表示', 'dora shown by'],
    none: ['対象外', 'no opinion'],
    of: ['／', ' of '],
    risk: ['危険度', 'risk'],
    riskLong: ['放銃の目安', 'risk of dealing in, by rules of thumb'],
    tsumogiri: ['ツモ切り', 'as drawn'],
  };

  const SVG = 'http://www.w3.org/2000/svg';
  const state = {at: 0, seat: null, hidden: false, timer: 0};

  // -- small tools

  const english = () => root.dataset.language === 'en';
  const say = (words) => words[english() ? 1 : 0];
  const word = (name) => say(WORDS[name]);

  function node(name, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function element(name, look, ...children) {
    const made = document.createElement(name);
    if (look) made.className = look;
    made.append(...children);
    return made;
  }

  const percent = (p) => `${p >= 0.0995 ? Math.round(100 * p) : (100 * p).toFixed(1)} %`;
  const points = (score) => score.toLocaleString('en-US');

  function shorten(text, most) {
    const letters = [...text];
    return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : text;
  }

  // -- tiles

  const tileName = (letter) => {
    const index = LETTERS.indexOf(letter);
    if (index >= 34) return '0' + 'mps'[index - 34];
    if (index >= 27) return say(HONORS[index - 27]);
    return (index % 9) + 1 + 'mps'[Math.floor(index / 9)];
  };

  const face = (letter) => '#t' + LETTERS.indexOf(letter);

  // A tile with its upper left corner at (x, y); one on its side is as wide as others are high.
  function tile(letter, x, y, width, {sideways = false, back = false, look = '', shade = false} = {}) {
    const height = width * 4 / 3;
    const drawn = node('g', {class: look},
      node('use', {href: back ? '#back' : face(letter), width, height}));
    if (shade) drawn.append(node('rect', {class: 'shade', width, height, rx: width / 8}));
    const place = sideways ? `translate(${x},${y + width}) rotate(-90)` : `translate(${x},${y})`;
    drawn.setAttribute('transform', place);
    return drawn;
  }

  // A tile between words.
  function inlineTile(letter) {
    const drawn = node('svg', {class: 'tile', viewBox: '0 0 30 40', role: 'img'},
      node('title', {}, tileName(letter)), node('use', {href: face(letter)}));
    return drawn;
  }

  const pairsOf = (text) => text.match(/../g) || [];

  // -- the table, each seat in a group that is turned around the middle

  const MIDDLE = [320, 296];
  const RIVER = {width: 27, top: 88, left: -82, columns: 6, rows: 3};
  const OTHERS = {width: 22, top: 254, left: -176, right: 236};
  const OWN = {width: 41, left: 18, right: 632, top: 600, gap: 10, meld: 27};
  const DORA = {x: 120, y: 128, width: 20};
  const BARS = {height: 74, bottom: 594};

  function drawRiver(group, river, claimed) {
    const high = RIVER.width * 4 / 3;
    let x = RIVER.left, row = 0;
    pairsOf(river).forEach(([letter, mark], i, all) => {
      if (i > 0 && i % RIVER.columns === 0 && row < RIVER.rows - 1) { x = RIVER.left; ++row; }
      const sideways = (mark & 2) !== 0;
      const y = RIVER.top + row * high + (sideways ? high - RIVER.width : 0);
      group.append(tile(letter, x, y, RIVER.width,
        {sideways, shade: (mark & 1) !== 0, look: mark & 4 ? 'called' : ''}));
      const wide = sideways ? high : RIVER.width;
      if (claimed && i === all.length - 1)
        group.append(node('rect', {class: 'claimed', x: x - 1, y: y - 1, width: wide + 2,
          height: (sideways ? RIVER.width : high) + 2, rx: 4}));
      x += wide;
    });
  }

  // From the right edge to the left; where they begin.
  function drawMelds(group, melds, right, bottom, width) {
    const high = width * 4 / 3;
    let end = right;
    for (const meld of melds) {
      const tiles = pairsOf(meld);
      let x = end - tiles.reduce((sum, [, way]) => sum + [width, high, width, 0][way], 0);
      const begin = x;
      let called = x;
      for (const [letter, way] of tiles) {
        if (way === '3') {
          group.append(tile(letter, called, bottom - 2 * width, width, {sideways: true}));
          continue;
        }
        const sideways = way === '1';
        if (sideways) called = x;
        group.append(tile(letter, x, bottom - (sideways ? width : high), width,
          {sideways, back: way === '2'}));
        x += sideways ? high : width;
      }
      end = begin - width / 4;
    }
    return end;
  }

  function drawOtherHand(group, seat) {
    const {width, top, left, right} = OTHERS;
    const back = state.hidden;
    const start = left - (seat.melds.length > 0 ? 60 : 0);
    [...seat.hand].forEach((letter, i) =>
      group.append(tile(letter, start + i * width, top, width, {back})));
    if (seat.drawn)
      group.append(tile(seat.drawn, start + seat.hand.length * width + 7, top, width, {back}));
    drawMelds(group, seat.melds, right, top + width * 4 / 3, width);
  }

  function seatWind(turn, seat) {
    const players = data.players.length;
    return WINDS[(seat - data.rounds[turn.round].dealer + players) % players];
  }

  function drawPlate(turn, number, side) {
    const seat = turn.seats[number];
    const turned = side === 2 ? 'rotate(180)' : '';
    const [nameY, scoreY] = side === 2 ? [-66, -50] : [58, 74];
    const look = number === turn.seat ? 'turn' : '';
    const plate = node('g', {transform: turned},
      node('text', {class: 'middle ' + look, y: nameY},
        `${say(seatWind(turn, number))} ${shorten(data.players[number], english() ? 12 : 9)}`),
      node('text', {class: 'middle ' + look, y: scoreY}, points(seat.score)));
    return plate;
  }

  function drawSeat(turn, number) {
    const seat = turn.seats[number];
    const players = data.players.length;
    const side = (number - turn.seat + players) % players;
    const group = node('g', {transform: `translate(${MIDDLE}) rotate(${-90 * side})`});
    group.append(drawPlate(turn, number, side));
    if (seat.riichi) {
      group.append(node('rect', {class: 'stick', x: -40, y: 79, width: 80, height: 6, rx: 2}),
        node('circle', {class: 'dot', cy: 82, r: 2}));
    }
    drawRiver(group, seat.river, turn.from === number && turn.claimed && seat.river &&
      seat.river.at(-2) === turn.claimed);
    if (side !== 0) drawOtherHand(group, seat);
    table.append(group);
  }

  function counters(round, turn) {
    const {honba} = round, {sticks, left} = turn;
    return (english() ?
      [honba && `honba ${honba}`, sticks && `sticks ${sticks}`, `${left} left`] :
      [honba && `${honba}本場`, sticks && `供託 ${sticks}`, `残り ${left}`]).filter(Boolean);
  }

  function drawMiddle(turn) {
    const [x, y] = MIDDLE;
    const round = data.rounds[turn.round];
    table.append(
      node('rect', {class: 'centre', x: x - 80, y: y - 80, width: 160, height: 160, rx: 10}),
      node('text', {class: 'round', x, y: y - 18}, say(round.title)),
      ...counters(round, turn).map((text, i) =>
        node('text', {class: 'middle soft', x, y: y + 1 + 17 * i}, text)));
  }

  // In the corner between two rivers.
  function drawDora(turn) {
    const {x, y, width} = DORA;
    table.append(node('text', {class: 'soft', x, y: y - 6}, word('dora')));
    [...turn.dora].forEach((letter, i) => table.append(tile(letter, x + width * i, y, width)));
  }

  // Where the tiles of the hand lie, with the action that each stands for.
  function placesOfHand(turn) {
    const seat = turn.seats[turn.seat];
    const places = [...seat.hand].map((letter, i) => ({letter, x: OWN.left + i * OWN.width}));
    if (seat.drawn) {
      const x = OWN.left + places.length * OWN.width + OWN.gap;
      places.push({letter: seat.drawn, x, drawn: true});
    }
    for (const action of turn.actions) {
      if (!action.tile) continue;
      const same = places.filter((place) => place.letter === action.tile);
      const held = same.filter((place) => !place.drawn);
      const fromHand = action.chosen && !turn.tsumogiri && held.length > 0;
      const place = (fromHand ? held : same).at(-1);
      if (place) place.action = action;
    }
    return places;
  }

  const bestOf = (turn, model) => turn.actions.reduce((best, action) =>
    action.p[model] !== null && (!best || action.p[model] > best.p[model]) ? action : best, null);

  function drawBars(turn, place) {
    const models = data.advisers.length;
    const room = (OWN.width - 10) / models;
    place.action.p.forEach((p, model) => {
      if (p === null) return;
      const height = Math.max(p > 0.0005 ? 1.5 : 0, BARS.height * p);
      const best = bestOf(turn, model) === place.action ? ' best' : '';
      const x = place.x + 5 + room * model;
      table.append(node('rect', {class: `bar m${model % 4}${best}`, x, y: BARS.bottom - height,
        width: room - 1, height, rx: 2}));
      const text = models === 1 ? p >= 0.005 : best;
      if (text)
        table.append(node('text', {class: 'percent' + best, x: x + room / 2,
          y: BARS.bottom - height - 4}, String(Math.round(100 * p))));
    });
  }

  function drawRisk(place) {
    const share = Math.min(1, place.action.risk / 15);
    if (share === 0) return;
    const below = OWN.top + OWN.width * 4 / 3 + 3;
    table.append(node('rect', {x: place.x + 2, y: below, width: (OWN.width - 4) * share, height: 4,
      rx: 2, fill: `hsl(${45 - 45 * share} 85% 50%)`}));
  }

  function drawOwnHand(turn) {
    const high = OWN.width * 4 / 3;
    drawMelds(table, turn.seats[turn.seat].melds, OWN.right, OWN.top + high, OWN.meld);
    for (const place of placesOfHand(turn)) {
      const drawn = tile(place.letter, place.x, OWN.top, OWN.width - 1);
      table.append(drawn);
      if (!place.action) continue;
      drawBars(turn, place);
      drawRisk(place);
      const {risk, chosen} = place.action;
      drawn.append(node('title', {}, `${tileName(place.letter)}: ${word('riskLong')} ${risk} %`));
      if (bestOf(turn, 0) === place.action)
        table.append(node('rect', {class: 'best-tile', x: place.x, y: OWN.top,
          width: OWN.width - 1, height: high - 1, rx: 5}));
      if (chosen)
        table.append(node('text', {class: 'choice' + (turn.bad ? ' bad' : ''),
          x: place.x + OWN.width / 2, y: OWN.top + high + 20}, '▲'));
    }
  }

  function drawTable(turn) {
    table.replaceChildren();
    drawMiddle(turn);
    drawDora(turn);
    turn.seats.forEach((_, number) => drawSeat(turn, number));
    drawOwnHand(turn);
  }

  // -- the list of what could have been done

  function nameOf(action) {
    if (action.tile) return [inlineTile(action.tile)];
    const tiles = [...(action.tiles || '')].map(inlineTile);
    return [say(action.word) + (tiles.length > 0 ? ' ' : ''), ...tiles];
  }

  function row(turn, action) {
    const meters = element('div');
    action.p.forEach((p, model) => {
      if (p === null) return;
      const bar = element('i', `m${model % 4}`);
      bar.style.width = `calc(${(100 * p).toFixed(1)}% * .72)`;
      meters.append(element('div', 'meter', bar, element('span', '', percent(p))));
    });
    const what = element('div', 'what', ...nameOf(action), action.chosen ? ' ◀' : '');
    const risk = element('div', 'risk', action.risk > 0 ? `${action.risk.toFixed(1)} %` : '');
    return element('div', 'option' + (action.chosen ? ' chosen' : ''), what, meters, risk);
  }

  function drawPanel(turn) {
    const strength = (action) => Math.max(...action.p.map((p) => p ?? -1));
    const rows = [...turn.actions].sort((a, b) => (b.p[0] ?? strength(b)) - (a.p[0] ?? strength(a)));
    const models = element('div');
    data.advisers.forEach((name, model) => {
      const none = turn.actions.every((action) => action.p[model] === null);
      models.append(element('div', '', element('span', `model m${model % 4}`),
        shorten(name, 28) + (none ? ` (${word('none')})` : '')));
    });
    const risk = element('div', 'risk', word('risk'));
    risk.title = word('riskLong');
    panel.replaceChildren(element('div', 'option heading', models, risk),
      ...rows.map((action) => row(turn, action)));
  }

  function drawWhere(turn) {
    const chosen = turn.actions.find((action) => action.chosen);
    const parts = [say(data.rounds[turn.round].name), english() ? ': ' : '　',
      `${data.players[turn.seat]} (${say(seatWind(turn, turn.seat))}) `];
    if (turn.claimed) {
      const on = inlineTile(turn.claimed);
      parts.push(...(english() ? ['on ', on, ' '] : [on, ' に ']));
    }
    parts.push(...(english() ? ['chose '] : []), ...nameOf(chosen), english() ? '' : 'を選択');
    if (chosen.tile && turn.tsumogiri) parts.push(` (${word('tsumogiri')})`);
    if (turn.bad) parts.push(element('span', 'bad', ` — ${word('bad')}`));
    const shown = turnsShown();
    parts.push(element('small', '', `　${shown.indexOf(state.at) + 1}${word('of')}${shown.length}`));
    where.replaceChildren(...parts);
  }

  // -- going about

  const turnsShown = () => [...data.turns.keys()].filter(
    (i) => state.seat === null || data.turns[i].seat === state.seat);

  // Once one stays: browsers refuse addresses that change many times a second.
  function addressSoon(turn) {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => history.replaceState(null, '', '#turn-' + turn.turn), 300);
  }

  function show(at) {
    state.at = at;
    const turn = data.turns[at];
    slider.value = turnsShown().indexOf(at);
    drawTable(turn);
    drawPanel(turn);
    drawWhere(turn);
    addressSoon(turn);
  }

  const firstWhere = (indices, wanted) => indices.find((i) => wanted(data.turns[i]));
  const after = () => turnsShown().filter((i) => i > state.at);
  const before = () => turnsShown().filter((i) => i < state.at).reverse();
  const roundNow = () => data.turns[state.at].round;

  function go(at) {
    if (at !== undefined) show(at);
  }

  function toPreviousRound() {
    const earlier = firstWhere(before(), (turn) => turn.round < roundNow());
    const round = earlier === undefined ? roundNow() : data.turns[earlier].round;
    go(firstWhere(turnsShown(), (turn) => turn.round === round));
  }

  function choosePlayer(seat) {
    state.seat = seat;
    playerSelect.value = seat === null ? '' : String(seat);
    const shown = turnsShown();
    slider.max = shown.length - 1;
    show(shown.find((i) => i >= state.at) ?? shown.at(-1));
  }

  const seatsShown = [...new Set(data.turns.map((turn) => turn.seat))].sort();

  function nextPlayer() {
    const choices = [null, ...seatsShown];
    choosePlayer(choices[(choices.indexOf(state.seat) + 1) % choices.length]);
  }

  function listPlayers() {
    const option = (value, text) => {
      const made = element('option', '', text);
      made.value = value;
      return made;
    };
    playerSelect.replaceChildren(
      ...(seatsShown.length > 1 ? [option('', word('all'))] : []),
      ...seatsShown.map((seat) => option(String(seat), shorten(data.players[seat], 24))));
    playerSelect.value = state.seat === null ? '' : String(state.seat);
  }

  const deeds = {
    next: () => go(after()[0]),
    previous: () => go(before()[0]),
    nextRound: () => go(firstWhere(after(), (turn) => turn.round > roundNow())),
    previousRound: toPreviousRound,
    nextBad: () => go(firstWhere(after(), (turn) => turn.bad)),
    previousBad: () => go(firstWhere(before(), (turn) => turn.bad)),
    nextPlayer,
    hide: () => { state.hidden = !state.hidden; show(state.at); },
    language: () => {
      root.dataset.language = english() ? 'ja' : 'en';
      root.lang = root.dataset.language;
      listPlayers();
      show(state.at);
    },
    help: () => { const help = document.querySelector('.keys'); help.open = !help.open; },
  };

  const keys = {
    ArrowRight: 'next', ArrowLeft: 'previous', ArrowDown: 'nextRound', ArrowUp: 'previousRound',
    b: 'nextBad', B: 'previousBad', p: 'nextPlayer', h: 'hide', l: 'language', '?': 'help',
  };

  document.addEventListener('keydown', (event) => {
    const deed = keys[event.key];
    if (!deed || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === playerSelect) return;
    event.preventDefault();
    deeds[deed]();
  });
  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-do]');
    if (button) deeds[button.dataset.do]();
  });
  slider.addEventListener('input', () => show(turnsShown()[Number(slider.value)]));
  playerSelect.addEventListener('change', () =>
    choosePlayer(playerSelect.value === '' ? null : Number(playerSelect.value)));

  function atHash() {
    const wanted = Number(location.hash.replace('#turn-', ''));
    return location.hash.startsWith('#turn-') ?
      data.turns.findIndex((turn) => turn.turn === wanted) : -1;
  }

  window.addEventListener('hashchange', () => {
    const at = atHash();
    if (at < 0) return;
    if (state.seat !== null && data.turns[at].seat !== state.seat) choosePlayer(null);
    show(at);
    document.getElementById('board').scrollIntoView();
  });

  if (data.turns.length > 0) {
    if (seatsShown.length === 1) state.seat = seatsShown[0];
    listPlayers();
    state.at = Math.max(0, atHash());
    choosePlayer(state.seat);
  } else {
    document.getElementById('viewer').hidden = true;
  }
})();
