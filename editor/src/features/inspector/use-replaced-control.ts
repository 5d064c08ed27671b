import { type RefObject, useEffect, useRef } from 'react'
import { useDocument } from '@/document/use-session'
import type { FlowNode } from '@/graph/document'
import { findVariable } from '@/graph/variables'

/**
 * Moves the focus when a variable begins or ends to set a setting: the pressed control is gone then. `onReplace`
 * announces the change; the `[data-variable-control]` in `row` gets the focus.
 */
export function useReplacedControl(
  node: FlowNode,
  use: string,
): { row: RefObject<HTMLDivElement | null>; onReplace: () => void } {
  const row = useRef<HTMLDivElement>(null)
  const isReplaced = useRef(false)
  const name = node.variables?.[use]
  const isKnown = useDocument((flow) => name !== undefined && findVariable(flow, name) !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the control depends on them
  useEffect(() => {
    if (!isReplaced.current) return
    isReplaced.current = false
    row.current?.querySelector<HTMLElement>('[data-variable-control]')?.focus()
  }, [name, isKnown])
  const onReplace = () => {
    isReplaced.current = true
  }
  return { row, onReplace }
}
