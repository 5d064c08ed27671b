/** Whether a key or the pointer was used last, and what the keys brought the focus to. */
let byKeys = false
let reached: EventTarget | null = null

const MODIFIERS = new Set(['Shift', 'Control', 'Meta', 'Alt'])

window.addEventListener(
  'keydown',
  ({ key }) => {
    if (!MODIFIERS.has(key)) byKeys = true
  },
  { capture: true },
)
window.addEventListener(
  'pointerdown',
  () => {
    byKeys = false
  },
  { capture: true },
)
window.addEventListener('focusin', ({ target }) => {
  reached = byKeys ? target : null
})

export function usesKeys(): boolean {
  return byKeys
}

/** The card that somebody walked to, if they are still there. */
export function reachedCard(): string | undefined {
  return reached === document.activeElement ? cardOf(reached) : undefined
}

/** The card that something lies in. */
export function cardOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('.react-flow__node')?.dataset.id : undefined
}
