import { useTranslation } from 'react-i18next'
import { Textarea } from '@/components/textarea'
import { type Reading, useDraft } from './drafts'
import { access, type ControlProps } from './types'

/** Data written by hand. Text that is not JSON stays where it is and says so; the value waits. */
export function JsonControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const { text, type, restore } = useDraft(props.place, value, written)
  const empty = text.trim() === ''
  const wrong = !empty && read(text) === null
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        {...access(props)}
        aria-invalid={wrong || props['aria-invalid']}
        value={text}
        rows={props.compact ? 2 : 4}
        spellCheck={false}
        disabled={disabled}
        placeholder={t('json.placeholder')}
        className="font-mono text-[12px]"
        onChange={(event) => {
          const reading = read(event.target.value)
          type(event.target.value, reading)
          if (reading) onChange(reading.value)
        }}
        onBlur={() => {
          if (empty && written(value) !== '') {
            restore()
            onChange(undefined)
          }
          onSettle()
        }}
      />
      {wrong && (
        <p role="alert" className="text-[12.5px] text-madder-text">
          {t('json.wrong')}
        </p>
      )}
    </div>
  )
}

function read(text: string): Reading<unknown> {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

function written(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
}
