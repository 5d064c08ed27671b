import { create } from 'zustand'

/** Multi-select mode for touch: taps and strokes select several cards instead of panning, like Shift with a mouse. */
export const useMultiSelectMode = create<boolean>(() => false)
