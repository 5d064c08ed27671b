/** Whether a key or the pointer was used last, and what the keys brought the focus to. */
let usedKeyboard = false
let focusedByKeyboard: EventTarget | null = null

const MODIFIERS = new Set(['Shift', 'Control', 'Meta', 'Alt'])

window.addEventListener(
  'keydown',
  ({ key }) => {
    if (!MODIFIERS.has(key)) usedKeyboard = true
  },
  { capture: true },
)
window.addEventListener(
  'pointerdown',
  () => {
    usedKeyboard = false
  },
  { capture: true },
)
window.addEventListener('focusin', ({ target }) => {
  focusedByKeyboard = usedKeyboard ? target : null
})

export function isUsingKeyboard(): boolean {
  return usedKeyboard
}

/** The card that somebody walked to, if they are still there. */
export function cardFocusedByKeyboard(): string | undefined {
  return focusedByKeyboard === document.activeElement ? cardOf(focusedByKeyboard) : undefined
}

/** The card that something lies in. */
export function cardOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('.react-flow__node')?.dataset.id : undefined
}
