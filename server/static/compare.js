// Choose a class or a filter at once, and pick no more things than fit side by side.
const MOST = 4

for (const select of document.querySelectorAll('#class select, #table select')) {
  select.addEventListener('change', () => select.form.requestSubmit())
}

const table = document.querySelector('#table')
const boxes = table ? [...table.querySelectorAll('[name=pick]')] : []
function limit() {
  const isFull = boxes.filter(box => box.checked).length >= MOST
  for (const box of boxes) box.disabled = isFull && !box.checked
}
table?.addEventListener('change', limit)
limit()

// Filters that are not set need not stand in the address.
table?.addEventListener('formdata', event => {
  const kept = event.formData.getAll('where').filter(Boolean)
  event.formData.delete('where')
  for (const where of kept) event.formData.append('where', where)
})
