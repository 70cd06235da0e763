/**
 * The script of the live page. Everything that comes from traffic is set as text, never as markup: there is no place
 * where a log line could become anything else.
 */
export const PAGE_SCRIPT: string = String.raw`'use strict'
const MOST_ROWS = 500
const byId = (id) => document.getElementById(id)
const table = byId('rows')
const rows = new Map()
const requirements = new Map()
let paused = false
let chosen = ''

function element(name, text, className) {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}

function pathOf(url) {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? '/' : url.slice(start)
}

function isShown(row) {
  if (byId('only').checked && row.findings.length === 0) return false
  const wanted = byId('filter').value.trim().toLowerCase()
  if (wanted === '') return true
  const text = [row.method, pathOf(row.url), row.operation, row.status, row.outcome, row.id]
  for (const finding of row.findings) text.push(finding.requirement, finding.message)
  return wanted.split(/\s+/).every((word) => text.join(' ').toLowerCase().includes(word))
}

function worst(row) {
  if (row.findings.some((finding) => finding.failure)) return 'failure'
  return row.findings.length > 0 ? 'warning' : ''
}

function draw(row) {
  const line = element('tr', undefined, worst(row))
  line.tabIndex = 0
  line.dataset.id = row.id
  line.append(
    element('td', new Date(row.time).toISOString().slice(11, 23), 'time'),
    element('td', row.method),
    element('td', pathOf(row.url), 'path'),
    element('td', row.status === 0 ? row.outcome : String(row.status), row.outcome === 'complete' ? '' : 'bad'),
    element('td', row.milliseconds.toFixed(1), 'number'),
    element('td', row.operation),
    element('td', [...new Set(row.findings.map((finding) => finding.requirement))].join(', '), 'found'),
  )
  line.hidden = !isShown(row)
  if (row.id === chosen) line.classList.add('chosen')
  return line
}

function add(row) {
  if (rows.has(row.id)) return
  const line = draw(row)
  rows.set(row.id, { row, line })
  table.prepend(line)
  for (const finding of row.findings) note(finding, row.id)
  if (rows.size <= MOST_ROWS) return
  const oldest = rows.entries().next().value
  rows.delete(oldest[0])
  oldest[1].line.remove()
}

function note(finding, id) {
  const known = requirements.get(finding.requirement)
  if (known) {
    known.count += 1
    known.number.textContent = known.count.toLocaleString('en')
    known.id = id
    return
  }
  const item = element('button', undefined, finding.failure ? 'failure' : 'warning')
  const number = element('b', '1')
  const entry = { count: 1, number, id }
  item.append(number, element('span', finding.requirement, 'requirement'), element('span', finding.message))
  item.addEventListener('click', () => show(entry.id))
  requirements.set(finding.requirement, entry)
  byId('found').append(item)
  byId('nothing').hidden = true
}

function sieve() {
  let shown = 0
  for (const { row, line } of rows.values()) {
    line.hidden = !isShown(row)
    if (!line.hidden) shown += 1
  }
  byId('shown').textContent = shown + ' of the last ' + rows.size
}

function counts(state) {
  for (const name of ['exchanges', 'perSecond', 'failures', 'warnings', 'dropped', 'cut'])
    byId(name).textContent = Math.round(state[name]).toLocaleString('en')
}

function headers(list) {
  const made = element('table', undefined, 'headers')
  for (const { name, value } of list) {
    const line = element('tr')
    line.append(element('th', name), element('td', value))
    made.append(line)
  }
  return made
}

function body(text, note) {
  if (!text) return element('p', note || 'no body', 'quiet')
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {}
  const made = element('pre', shown.slice(0, 100000))
  made.tabIndex = 0
  return made
}

async function show(id) {
  chosen = id
  for (const { line } of rows.values()) line.classList.toggle('chosen', line.dataset.id === id)
  const panel = byId('detail')
  panel.hidden = false
  const close = element('button', 'Close', 'close')
  close.addEventListener('click', hide)
  const answer = await fetch('/exchange/' + encodeURIComponent(id)).catch(() => undefined)
  if (chosen !== id) return
  panel.replaceChildren(close)
  if (!answer || !answer.ok) {
    panel.append(element('p', 'This exchange is no longer in memory; it stands in the recording as ' + id + '.'))
    return
  }
  const { exchange, findings } = await answer.json()
  const { request, response } = exchange
  panel.append(element('h2', request.method + ' ' + pathOf(request.url)), element('p', id + (exchange._operation ? ' · ' + exchange._operation : ''), 'quiet'))
  for (const finding of findings) {
    const box = element('section', undefined, finding.failure ? 'failure' : 'warning')
    box.append(element('h3', finding.requirement + ' (' + finding.level + ')'), element('p', finding.message))
    if (finding.expected) box.append(element('p', 'expected: ' + finding.expected), element('p', 'actual: ' + finding.actual))
    if (finding.pointer) box.append(element('p', 'at ' + finding.pointer))
    panel.append(box)
  }
  const cut = (part) => (part && part._cut ? 'only the beginning was kept' : '')
  panel.append(element('h3', 'Request'), headers(request.headers), body(request.postData && request.postData.text, cut(request.postData)))
  if (cut(request.postData)) panel.append(element('p', cut(request.postData), 'quiet'))
  panel.append(element('h3', 'Answer: ' + (response.status || exchange._outcome) + ' ' + response.statusText + ', ' + exchange.time.toFixed(1) + ' ms'))
  if (exchange._error) panel.append(element('p', exchange._error, 'bad'))
  panel.append(headers(response.headers), body(response.content.text, cut(response.content)))
  if (cut(response.content)) panel.append(element('p', cut(response.content) + ' (' + response.content.size + ' bytes)', 'quiet'))
  panel.scrollTop = 0
}

function hide() {
  chosen = ''
  byId('detail').hidden = true
  for (const { line } of rows.values()) line.classList.remove('chosen')
}

table.addEventListener('click', (event) => {
  const line = event.target.closest('tr')
  if (line) show(line.dataset.id)
})
table.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.dataset.id) show(event.target.dataset.id)
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hide()
})
byId('filter').addEventListener('input', sieve)
byId('only').addEventListener('change', sieve)
byId('pause').addEventListener('click', () => {
  paused = !paused
  byId('pause').textContent = paused ? 'Go on' : 'Pause'
  byId('pause').setAttribute('aria-pressed', String(paused))
})
const events = new EventSource('/events')
events.addEventListener('open', () => { byId('state').textContent = 'live'; byId('state').className = 'live' })
events.addEventListener('error', () => { byId('state').textContent = 'the recording has ended, or cannot be reached'; byId('state').className = 'bad' })
events.addEventListener('message', (event) => {
  const message = JSON.parse(event.data)
  counts(message.counts)
  if (paused) return
  for (const row of message.rows) add(row)
  if (message.rows.length > 0) sieve()
})
`
