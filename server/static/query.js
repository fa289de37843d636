// The query page: colours, completion, asking without leaving the page, stopping, sorting.
import { labelled, suggest } from './combobox.js'

const base = document.body.dataset.base
const form = document.querySelector('#ask')
const area = form.querySelector('textarea')
const paint = form.querySelector('pre')
const stopButton = document.querySelector('#stop')
const result = document.querySelector('#result')
const LONGEST_ADDRESS = 4000

// --- colours

const TOKEN = new RegExp([
  /(?<note>#[^\n]*)/, /(?<text>"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/,
  /(?<iri><[^<>"{}|^`\\\s]*>)/, /(?<variable>[?$][\p{L}\p{N}_]+)/u, /(?<name>(?:[\p{L}][\p{L}\p{N}_.-]*)?:[\p{L}\p{N}_.%\\/-]*)/u,
  /(?<number>\b\d+(?:\.\d+)?\b)/, /(?<word>\b[A-Za-z_]+\b)/,
].map(part => part.source).join('|'), 'gu')
const WORDS = new Set(('SELECT DISTINCT REDUCED WHERE FROM NAMED ASK CONSTRUCT DESCRIBE PREFIX BASE OPTIONAL UNION MINUS GRAPH FILTER BIND AS VALUES UNDEF GROUP ORDER BY HAVING LIMIT OFFSET ASC DESC EXISTS NOT IN A COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT SEPARATOR STR LANG LANGMATCHES DATATYPE BOUND IRI URI IF COALESCE CONTAINS STRSTARTS STRENDS STRLEN LCASE UCASE REGEX REPLACE CONCAT ISIRI ISBLANK ISLITERAL TRUE FALSE').split(' '))

function colour() {
  const pieces = []
  let end = 0
  for (const found of area.value.matchAll(TOKEN)) {
    let [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined)
    if (kind === 'word' && !WORDS.has(found[0].toUpperCase())) continue
    pieces.push(area.value.slice(end, found.index))
    const piece = document.createElement('span')
    piece.className = `t-${kind}`
    piece.textContent = found[0]
    pieces.push(piece)
    end = found.index + found[0].length
  }
  paint.replaceChildren(...pieces, area.value.slice(end) + '\n')
  paint.scrollTop = area.scrollTop
}
area.addEventListener('scroll', () => { paint.scrollTop = area.scrollTop; paint.scrollLeft = area.scrollLeft })

// --- completion of prefixes and of what the graph names

const prefixes = area.dataset.prefixes.split(' ')
const names = area.dataset.names.split(' ')
const list = document.createElement('ul')
Object.assign(list, { id: 'completions', role: 'listbox', ariaLabel: result.dataset.suggestions, hidden: true })
area.after(list)
area.setAttribute('aria-autocomplete', 'list')
area.setAttribute('aria-controls', list.id)
let options = [], active = 0, turn = 0, composing = false

function word() {
  return area.value.slice(0, area.selectionStart).match(/[\p{L}\p{N}_:.-]*$/u)[0]
}
/** Return how a query writes the thing of a result. */
function written(found) {
  const [, kind, local] = found.id.match(/^([a-z]+)\/(.*)$/) || found.id.match(/^(ontology)#(.*)$/) || []
  const prefix = kind === 'ontology' ? 'ca' : kind
  return prefixes.includes(prefix) && /^[A-Za-z0-9_][\w-]*(?:\.[\w-]+)*$/.test(local) ? `${prefix}:${local}` : `<${found.iri}>`
}
function close() {
  list.hidden = true
  options = []
  area.removeAttribute('aria-activedescendant')
}
function mark(number) {
  active = (number + options.length) % options.length
  for (const [place, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(place === active))
  list.children[active].scrollIntoView({ block: 'nearest' })
  area.setAttribute('aria-activedescendant', list.children[active].id)
}
function show(found) {
  options = found
  if (!found.length) return close()
  list.replaceChildren(...found.map(({ text, label }, number) => {
    const item = document.createElement('li')
    Object.assign(item, { id: `completion-${number}`, role: 'option' })
    item.append(label ? labelled('span', label) : '', Object.assign(document.createElement('small'), { className: 'kind', textContent: text }))
    return item
  }))
  const before = area.value.slice(0, area.selectionStart).split('\n')
  const style = getComputedStyle(area)
  list.style.top = `${Math.min(before.length * parseFloat(style.lineHeight) - area.scrollTop + 10, area.clientHeight)}px`
  list.hidden = false
  mark(0)
}
async function complete(isAsked) {
  const typed = word(), mine = ++turn
  const [prefix, local] = typed.includes(':') ? typed.split(/:(.*)/s) : ['', typed]
  if (!isAsked && local.length < 2 && !typed.endsWith(':')) return close()
  const near = prefixes.filter(name => !typed.includes(':') && name.startsWith(typed) && typed).map(name => ({ text: `${name}:` }))
  if (!local) return show(typed.endsWith(':') ? [] : prefixes.map(name => ({ text: `${name}:` })))
  const isOwn = prefix === 'ca' || !typed.includes(':')
  const asked = [suggest(local)]
  if (isOwn) asked.push(suggest(local, { type: 'Property' }))
  const found = (await Promise.all(asked.map(answer => answer.catch(() => [])))).flat()
  if (mine !== turn) return
  const things = found.map(thing => ({ text: written(thing), label: thing.label }))
    .filter(({ text }) => !prefix || text.startsWith(`${prefix}:`))
  const known = names.filter(name => name.toLowerCase().startsWith(typed.toLowerCase()) && things.every(({ text }) => text !== name))
  show([...near, ...things, ...known.map(text => ({ text }))].slice(0, 10))
}
function take({ text }) {
  const start = area.selectionStart - word().length
  area.setRangeText(text, start, area.selectionStart, 'end')
  close()
  colour()
}
list.addEventListener('mousedown', event => {
  const item = event.target.closest('li')
  if (item) { event.preventDefault(); take(options[[...list.children].indexOf(item)]) }
})
area.addEventListener('blur', close)
area.addEventListener('compositionstart', () => { composing = true })
area.addEventListener('compositionend', () => { composing = false; colour() })
area.addEventListener('input', event => {
  colour()
  if (!composing && !event.isComposing && event.inputType === 'insertText' && word().includes(':')) complete(false)
  else close()
})
area.addEventListener('keydown', event => {
  if (composing || event.isComposing || event.keyCode === 229) return
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); close(); form.requestSubmit() }
  else if (event.key === ' ' && event.ctrlKey) { event.preventDefault(); complete(true) }
  else if (list.hidden) return
  else if (event.key === 'Escape') { event.preventDefault(); close() }
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { event.preventDefault(); mark(active + (event.key === 'ArrowDown' ? 1 : -1)) }
  else if (event.key === 'Enter' || event.key === 'Tab') { event.preventDefault(); take(options[active]) }
})

// --- ask, stop

let running = null

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
function say(text) {
  const line = document.createElement('p')
  line.className = 'note'
  line.textContent = text
  result.replaceChildren(line)
}
form.addEventListener('submit', async event => {
  event.preventDefault()
  if (running) return
  const query = area.value
  running = { id: newId(), isStopped: false }
  stopButton.hidden = false
  result.setAttribute('aria-busy', 'true')
  say(result.dataset.running)
  try {
    const body = new URLSearchParams({ query, part: 'result' })
    const response = await fetch(`${base}/query`, { method: 'POST', body, headers: { Accept: 'text/html', 'Atlas-Query-Id': running.id } })
    const answer = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (running.isStopped) say(result.dataset.stopped)
    else result.replaceChildren(...answer.body.childNodes)
    const address = new URL(`${base}/query`, location)
    address.searchParams.set('query', query)
    if (address.href.length < LONGEST_ADDRESS) history.replaceState(null, '', address)
  } catch {
    say(running.isStopped ? result.dataset.stopped : result.dataset.failed)
  }
  running = null
  stopButton.hidden = true
  result.removeAttribute('aria-busy')
  dress()
})
stopButton.addEventListener('click', () => {
  if (!running) return
  running.isStopped = true
  fetch(`${base}/running/${running.id}`, { method: 'DELETE' })
})

// --- the answer: errors lead to their place, columns can be sorted

function dress() {
  for (const head of result.querySelectorAll('table.rows th')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = head.textContent
    head.replaceChildren(button)
    button.addEventListener('click', () => sort(head))
  }
}
function sort(head) {
  const [table, body, place] = [head.closest('table'), head.closest('table').tBodies[0], head.cellIndex]
  const isUp = head.getAttribute('aria-sort') !== 'ascending'
  for (const other of table.querySelectorAll('th')) other.removeAttribute('aria-sort')
  head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending')
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true })
  const rows = [...body.rows].sort((a, b) => order.compare(a.cells[place].textContent, b.cells[place].textContent))
  body.append(...(isUp ? rows : rows.reverse()))
}
result.addEventListener('click', event => {
  const link = event.target.closest('a[data-line]')
  if (!link) return
  event.preventDefault()
  const before = area.value.split('\n').slice(0, link.dataset.line - 1)
  const start = before.reduce((sum, line) => sum + line.length + 1, 0) + Number(link.dataset.column) - 1
  area.focus()
  area.setSelectionRange(start, start + 1)
})

for (const select of document.querySelectorAll('#values select')) select.addEventListener('change', () => select.form.requestSubmit())
colour()
dress()
