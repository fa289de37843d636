// Filters that act at once; without script their button does.
import './combobox.js'

for (const form of document.querySelectorAll('form.fields')) {
  form.addEventListener('change', event => { if (event.target.matches('select')) form.requestSubmit() })
}
