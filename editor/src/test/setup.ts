// Most tests are of plain logic and need no document; making one for each would take most of the time of them all.
if (typeof document !== 'undefined') await import('./screen')
