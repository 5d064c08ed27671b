import { create } from 'zustand'

/** Whether taps and strokes choose several cards instead of moving the paper: what Shift is to a mouse. */
export const useMultiSelectMode = create<boolean>(() => false)
