import type { ValuePath } from '@/graph/value-path'
import { rangeInJson } from '@/lib/json-places'

const CONTROLS = 'input:not([type=file]):not(:disabled), textarea, select, button:not(:disabled)'

/**
 * Moves the focus to the control of a part of a value. In JSON, the part is selected; in a form, the elements with
 * `data-part` (a JSON list of steps, from the element around them) lead to it, as near as the form shows it.
 */
export function goToPart(root: HTMLElement, path: ValuePath): void {
  const tab = root.querySelector<HTMLElement>('[data-json-tab]')
  if (tab && root.querySelector('[data-json-only]')) {
    // The text is there once the tab is.
    tab.focus()
    requestAnimationFrame(() => selectInJson(root, path))
    return
  }
  if (selectInJson(root, path)) return
  const part = nearestPart(root, path)
  for (let around = part.parentElement; around; around = around.parentElement)
    if (around instanceof HTMLDetailsElement) around.open = true
  for (const inside of part.querySelectorAll(':scope > details')) inside.setAttribute('open', '')
  const control = part.matches(CONTROLS) ? part : part.querySelector<HTMLElement>(CONTROLS)
  control?.focus()
  control?.scrollIntoView({ block: 'nearest' })
}

/** Selects characters, or puts the cursor before them, and shows their line. */
export function selectText(area: HTMLTextAreaElement, start: number, end = start): void {
  area.focus()
  area.setSelectionRange(start, end)
  const lines = area.value.split('\n').length
  const line = area.value.slice(0, start).split('\n').length - 1
  area.scrollTop = Math.max(0, (line / lines) * area.scrollHeight - area.clientHeight / 2)
}

function selectInJson(root: HTMLElement, path: ValuePath): boolean {
  for (const area of root.querySelectorAll<HTMLTextAreaElement>('textarea[data-json]')) {
    // Inside of a form, the text holds a part of the value.
    const around = pathAround(area, root)
    if (around.some((step, at) => step !== path[at])) continue
    const range = rangeInJson(area.value, path.slice(around.length))
    selectText(area, range?.start ?? 0, range?.end)
    return true
  }
  return false
}

function nearestPart(root: HTMLElement, path: ValuePath): HTMLElement {
  for (const part of root.querySelectorAll<HTMLElement>('[data-part]')) {
    if (part.parentElement?.closest('[data-part]') !== root.closest('[data-part]')) continue
    const steps = stepsOf(part)
    if (steps.length > 0 && steps.every((step, at) => step === path[at]))
      return nearestPart(part, path.slice(steps.length))
  }
  return root
}

function pathAround(element: HTMLElement, root: HTMLElement): ValuePath {
  const path: (string | number)[] = []
  for (let around = element.parentElement; around && around !== root; around = around.parentElement)
    path.unshift(...stepsOf(around))
  return path
}

function stepsOf({ dataset }: HTMLElement): ValuePath {
  return dataset.part ? (JSON.parse(dataset.part) as ValuePath) : []
}

/** The attribute of an element that shows a part of a value. */
export function partAttributes(...steps: ValuePath): { 'data-part': string } {
  return { 'data-part': JSON.stringify(steps) }
}
