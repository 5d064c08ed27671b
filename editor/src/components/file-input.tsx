import type { Ref } from 'react'

type FileInputProps = {
  /** The button that the user sees calls `click` on it. */
  ref: Ref<HTMLInputElement>
  label: string
  accept?: string
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** The hidden chooser of a button that takes files; the same file can be chosen twice. */
export function FileInput({ ref, label, accept, multiple, onFiles }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple={multiple}
      accept={accept}
      aria-label={label}
      tabIndex={-1}
      className="hidden"
      onChange={(event) => {
        onFiles(Array.from(event.target.files ?? []))
        event.target.value = ''
      }}
    />
  )
}
