import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Textarea } from '@/components/textarea'
import { access, type ControlProps } from './types'

/** Data written by hand. Text that is not JSON stays where it is and says so; the value waits. */
export function JsonControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const [text, setText] = useState(() => written(value))
  const [wrong, setWrong] = useState(false)
  useEffect(() => {
    setText((typed) => (same(typed, value) ? typed : written(value)))
    setWrong(false)
  }, [value])
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        {...access(props)}
        aria-invalid={wrong || props['aria-invalid']}
        value={text}
        rows={4}
        spellCheck={false}
        disabled={disabled}
        className="font-mono text-[12px]"
        onChange={(event) => {
          setText(event.target.value)
          const parsed = read(event.target.value)
          setWrong(parsed === NOT_JSON)
          if (parsed !== NOT_JSON) onChange(parsed)
        }}
        onBlur={onSettle}
      />
      {wrong && (
        <p role="alert" className="text-[12.5px] text-madder-text">
          {t('json.wrong')}
        </p>
      )}
    </div>
  )
}

const NOT_JSON = Symbol('not JSON')

function read(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return NOT_JSON
  }
}

function written(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function same(text: string, value: unknown): boolean {
  const parsed = read(text)
  return parsed === NOT_JSON || JSON.stringify(parsed) === JSON.stringify(value)
}
