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

/** Whether what has the focus takes letters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=radio]):not([type=color]):not([type=checkbox]), textarea, select')
  )
}

/** Whether a dialog stands before the page. */
export function isModal(): boolean {
  return document.querySelector('[data-modal][data-state=open]') !== null
}

/** An open dialog, menu or list has the keys to itself. */
export function isFloating(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog][data-state=open], [role=menu][data-state=open]')) return true
  return target instanceof Element && target.closest('[role=listbox]') !== null
}

/** A slider, a row of choices and tabs are turned with the same keys that move cards. */
export function usesArrowKeys({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || ctrlKey || metaKey) return false
  return target.closest('[role=slider], [role=radiogroup], [role=tablist]') !== null
}
