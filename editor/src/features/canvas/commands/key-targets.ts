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
