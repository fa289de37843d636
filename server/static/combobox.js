// A combobox over /suggest, as the ARIA practices describe it: the focus stays in the field.
const base = document.body.dataset.base
const language = document.body.dataset.lang
const WAIT_MS = 60
const MOST = 8

/** Return what a prefix may mean; with `near`, names that hold it or are spelled nearly so. */
export async function suggest(text, options = {}, signal = undefined) {
  const route = options.near ? ['lookup', 'q'] : ['suggest', 'prefix']
  const asked = new URLSearchParams({ [route[1]]: text, labellang: language, limit: MOST })
  if (options.type) asked.set('type', options.type)
  const response = await fetch(`${base}/${route[0]}?${asked}`, { signal, headers: { Accept: 'application/json' } })
  if (!response.ok) return []
  const found = (await response.json()).results
  return found.length || options.near ? found : suggest(text, { ...options, near: true }, signal)
}

/** Return the address of the page of a thing. */
export function page(result) {
  return /^[a-z]+\/[^#?]+$/.test(result.id) ? `${base}/${encodeURI(result.id)}` : `${base}/resource?iri=${encodeURIComponent(result.iri)}`
}

/** Return an element for a label in its language. */
export function labelled(name, label) {
  const element = document.createElement(name)
  element.textContent = label.value
  if (label.lang) element.lang = label.lang
  return element
}

function option(result, id) {
  const item = document.createElement('li')
  item.id = id
  item.role = 'option'
  item.ariaSelected = 'false'
  item.append(labelled('span', result.label))
  if (result.matched.value !== result.label.value) item.append(labelled('small', result.matched))
  const kind = document.createElement('small')
  kind.className = 'kind'
  kind.textContent = result.id
  item.append(kind)
  return item
}

/** Make a field a combobox; `choose` is called with the result that was chosen. */
export function combobox(field, choose) {
  const list = document.createElement('ul')
  list.id = `${field.name}-options`
  list.role = 'listbox'
  list.ariaLabel = field.ariaLabel || field.closest('label')?.firstChild.textContent.trim() || field.name
  list.hidden = true
  field.after(list)
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-expanded': 'false' })) field.setAttribute(name, value)
  let results = [], active = -1, timer = 0, asking = null, composing = false

  function show(found) {
    results = found
    active = -1
    list.replaceChildren(...found.map((result, number) => option(result, `${list.id}-${number}`)))
    list.hidden = found.length === 0
    field.setAttribute('aria-expanded', String(!list.hidden))
    field.removeAttribute('aria-activedescendant')
  }
  function move(step) {
    list.children[active]?.setAttribute('aria-selected', 'false')
    active = (active + step + results.length + (active < 0 && step < 0 ? 1 : 0)) % results.length
    const item = list.children[active]
    item.setAttribute('aria-selected', 'true')
    item.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', item.id)
  }
  function take(result) {
    stop()
    show([])
    choose(result, field)
  }
  function stop() {
    clearTimeout(timer)
    asking?.abort()
  }
  function ask() {
    stop()
    delete field.dataset.id
    const text = field.value.trim()
    if (!text) return show([])
    timer = setTimeout(async () => {
      asking = new AbortController()
      try {
        show(await suggest(text, { type: field.dataset.type }, asking.signal))
      } catch (error) {
        if (error.name !== 'AbortError') show([])
      }
    }, WAIT_MS)
  }

  // While an input method composes, its keys are its own: Enter takes a conversion, not a suggestion.
  field.addEventListener('compositionstart', () => { composing = true; stop() })
  field.addEventListener('compositionend', () => { composing = false; ask() })
  field.addEventListener('input', event => { if (!composing && !event.isComposing) ask() })
  field.addEventListener('keydown', event => {
    if (composing || event.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') { stop(); if (!list.hidden) { show([]); event.preventDefault() } }
    else if (list.hidden) return
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { move(event.key === 'ArrowDown' ? 1 : -1); event.preventDefault() }
    else if (event.key === 'Enter' && active >= 0) { take(results[active]); event.preventDefault() }
    else if (event.key === 'Tab') show([])
  })
  field.addEventListener('blur', () => { stop(); show([]) })
  list.addEventListener('mousedown', event => {
    const item = event.target.closest('li')
    if (item) { event.preventDefault(); take(results[[...list.children].indexOf(item)]) }
  })
}

/** Fill a field with what was chosen; its form sends the id, so that an address stays the same in all languages. */
function fill(result, field) {
  field.value = result.label.value
  field.dataset.id = result.id
}

for (const field of document.querySelectorAll('[data-suggest]')) {
  combobox(field, field.dataset.suggest === 'open' ? result => { location.href = page(result) } : fill)
  field.form.addEventListener('formdata', event => { if (field.dataset.id) event.formData.set(field.name, field.dataset.id) })
}

// A slash leads to the first field, wherever nothing is being written.
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('input, textarea, select, [contenteditable]')) return
  const field = document.querySelector('[data-suggest]')
  if (field) { event.preventDefault(); field.focus(); field.select() }
})
