/** Whether the keyboard or the pointer was used last, and the element that the keyboard focused. */
let usedKeyboard = false
let focusedByKeyboard: EventTarget | null = null

export const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Meta', 'Alt'])

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

/** The card that was focused by keyboard, if it still exists. */
export function cardFocusedByKeyboard(): string | undefined {
  return focusedByKeyboard === document.activeElement ? cardOf(focusedByKeyboard) : undefined
}

/** The card that contains the element. */
export function cardOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('.react-flow__node')?.dataset.id : undefined
}

/** Whether the focused element accepts text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=radio]):not([type=color]):not([type=checkbox]), textarea, select')
  )
}

/** Whether a modal dialog is open. */
export function isModal(): boolean {
  return document.querySelector('[data-modal][data-state=open]') !== null
}

/** Whether an open dialog, menu or list handles the keys itself. */
export function isFloating(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog][data-state=open], [role=menu][data-state=open]')) return true
  return target instanceof Element && target.closest('[role=listbox]') !== null
}

/** Sliders, radio groups and tabs use the arrow keys, which otherwise move cards. */
export function usesArrowKeys({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || ctrlKey || metaKey) return false
  return target.closest('[role=slider], [role=radiogroup], [role=tablist]') !== null
}
