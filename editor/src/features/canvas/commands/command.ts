/** One action of the editor, for shortcuts, the command palette, the context menu and the help. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly keys?: string
  /** Also available while a text field has the focus. */
  readonly always?: boolean
  readonly edits?: boolean
  /** Acts on the selection; a card focused by keyboard counts as selected. */
  readonly aims?: boolean
  run(): void
  when?(): boolean
  /** Why it is not available for the selection, as a sentence. */
  refusal?(): string | undefined
}
