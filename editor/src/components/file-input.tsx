import type { Ref } from 'react'

type FileInputProps = {
  /** The button that the user sees calls `click` on it; a label needs none. */
  ref?: Ref<HTMLInputElement>
  label: string
  accept?: string | undefined
  multiple?: boolean
  disabled?: boolean | undefined
  /** For a label: the input is then in the tab order, and out of sight only. */
  id?: string
  onFiles: (files: File[]) => void
}

/** The hidden chooser of a button that takes files; the same file can be chosen twice. */
export function FileInput({ ref, label, accept, multiple, disabled, id, onFiles }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple={multiple}
      accept={accept}
      aria-label={label}
      id={id}
      disabled={disabled}
      tabIndex={id === undefined ? -1 : undefined}
      className={id === undefined ? 'hidden' : 'sr-only'}
      onChange={(event) => {
        onFiles(Array.from(event.target.files ?? []))
        event.target.value = ''
      }}
    />
  )
}
