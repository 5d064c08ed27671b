import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/input'

type NameInputProps = {
  name: string
  /** The names of the other rows, which this one must differ from. */
  taken: readonly string[]
  label: string
  /** Known names, offered while typing. */
  suggestions?: readonly { readonly value: string; readonly label: string }[]
  disabled?: boolean | undefined
  onRename: (name: string) => void
  onSettle: () => void
}

/** The name of a row. An empty or a taken name is marked and not stored; leaving the field restores the last valid one. */
export function NameInput({ name, taken, label, suggestions, disabled, onRename, onSettle }: NameInputProps) {
  const { t } = useTranslation('inspector')
  const id = useId()
  const [text, setText] = useState(name)
  useEffect(() => setText(name), [name])
  const clean = text.trim()
  const error = clean === '' ? t('structure.nameMissing') : taken.includes(clean) && t('structure.nameTaken')
  return (
    <div className="min-w-0 flex-1">
      <Input
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        list={suggestions?.length ? `${id}-names` : undefined}
        value={text}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setText(event.target.value)
          const next = event.target.value.trim()
          if (next !== '' && !taken.includes(next)) onRename(next)
        }}
        onBlur={() => {
          setText(name)
          onSettle()
        }}
      />
      {suggestions && suggestions.length > 0 && (
        <datalist id={`${id}-names`}>
          {suggestions
            .filter(({ value }) => !taken.includes(value))
            .map(({ value, label: title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
        </datalist>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-[12.5px] text-madder-text">
          {error}
        </p>
      )}
    </div>
  )
}
