import { useStoreApi } from '@xyflow/react'
import { type PointerEvent, useCallback, useEffect } from 'react'
import { create } from 'zustand'

/** Multi-select mode for touch: taps and strokes select several cards instead of panning, like Shift with a mouse. */
export const useMultiSelectMode = create<boolean>(() => false)

/**
 * Lets a press with Shift, Control or Command, and any press in multi-select mode, add to the selection. Returns the
 * handler of presses. React Flow would listen to the keys, and each would call every card, port and edge.
 */
export function useMultiSelect(): (event: PointerEvent) => void {
  const store = useStoreApi()
  useEffect(() => () => useMultiSelectMode.setState(false), [])
  return useCallback(
    ({ shiftKey, ctrlKey, metaKey }: PointerEvent) => {
      const isSeveral = shiftKey || ctrlKey || metaKey || useMultiSelectMode.getState()
      if (store.getState().multiSelectionActive !== isSeveral)
        store.setState({ multiSelectionActive: isSeveral })
    },
    [store],
  )
}
