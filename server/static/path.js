// The two ends of a path: fields with suggestions, sent by their ids.
import './combobox.js'
