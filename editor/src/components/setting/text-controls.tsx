import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/input'
import { Textarea } from '@/components/textarea'
import { variablesIn } from '@/graph/ports'
import { widgetOf } from '@/graph/widgets'
import { access, type ControlProps } from './types'

export function TextControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  return (
    <Input
      {...access(props)}
      value={typeof value === 'string' ? value : ''}
      placeholder={field.schema['x-ui']?.placeholder ?? undefined}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onSettle}
    />
  )
}

/** Long text; where it may hold `{{variables}}`, those it holds are listed below it. */
export function LongTextControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled, compact } = props
  const text = typeof value === 'string' ? value : ''
  const area = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        {...access(props)}
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
