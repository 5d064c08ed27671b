// Most tests need no DOM; creating one for each would take most of the test time.
if (typeof document !== 'undefined') await import('./screen')
