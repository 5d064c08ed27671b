import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorButton } from '@/components/field'
import { Input, Textarea } from '@/components/input'
import { variablesIn } from '@/graph/ports'
import { widgetOf } from '@/graph/widgets'
import { jsonErrorAt, lineAt } from '@/lib/json-places'
import { type ControlProps, fieldAccess, type Reading, useDraft } from './control-props'
import { selectText } from './go-to-part'

export function TextControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  return (
    <Input
      {...fieldAccess(props)}
      value={typeof value === 'string' ? value : ''}
      placeholder={field.schema['x-ui']?.placeholder ?? undefined}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onSettle}
    />
  )
}

/** Long text; template `{{variables}}` are listed below it. */
export function LongTextControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled, compact } = props
  const text = typeof value === 'string' ? value : ''
  const area = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        {...fieldAccess(props)}
        ref={area}
        value={text}
        rows={compact ? 2 : 4}
        placeholder={field.schema['x-ui']?.placeholder ?? undefined}
        disabled={disabled}
        className={compact ? 'max-h-40 px-2.5 py-2 text-[12.5px]' : undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onSettle}
      />
      {!compact && (props.variables || widgetOf(field.schema) === 'variables') && <Variables text={text} />}
    </div>
  )
}

function Variables({ text }: { text: string }) {
  const { t } = useTranslation('inspector')
  const names = variablesIn(text)
  return (
    <p className="text-muted text-xs">
      {names.length === 0 ? t('variables.none') : `${t('variables.some')} `}
      {names.map((name) => (
        <code key={name} className="mr-1 rounded-xs bg-sunken px-1 py-0.5 font-mono text-cobalt-text">
          {name}
        </code>
      ))}
    </p>
  )
}

/** JSON text. Invalid text is kept and marked, and the value does not change. */
export function JsonControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const { text, type, restore } = useDraft(props.place, value, writeJson)
  const area = useRef<HTMLTextAreaElement>(null)
  const empty = text.trim() === ''
  const wrong = !empty && read(text) === null
  const errorAt = wrong ? (jsonErrorAt(text) ?? text.length) : 0
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        {...fieldAccess(props)}
        ref={area}
        data-json
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
          if (empty && writeJson(value) !== '') {
            restore()
            onChange(undefined)
          }
          onSettle()
        }}
      />
      {wrong && (
        <p role="alert" className="text-[12.5px] text-madder-text">
          <ErrorButton onClick={() => area.current && selectText(area.current, errorAt)}>
            {t('json.wrong', { line: lineAt(text, errorAt) })}
          </ErrorButton>
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

/** A value as JSON is shown; empty for none. */
export function writeJson(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
}
