// Pages with a search field only.
import './combobox.js'
