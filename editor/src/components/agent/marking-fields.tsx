import '@/lib/i18n/credentials'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Switch } from '../switch'

type Marks = { watermark: boolean; mark_exports: boolean }
type MarkingFieldsProps = { facts: Marks; onChange: (part: Partial<Marks>) => void }

/** How the images that AI makes with an agent are marked. Each switch says what it does and what it cannot. */
export function MarkingFields({ facts, onChange }: MarkingFieldsProps) {
  const { t } = useTranslation('credentials')
  return (
    <fieldset className="flex flex-col gap-3 border-hairline border-t pt-4">
      <legend className="float-left font-[550] text-sm">{t('marks.title')}</legend>
      <Mark name="mark_exports" checked={facts.mark_exports} onChange={onChange} />
      <Mark name="watermark" checked={facts.watermark} onChange={onChange} />
    </fieldset>
  )
}

type MarkProps = { name: keyof Marks; checked: boolean; onChange: MarkingFieldsProps['onChange'] }

function Mark({ name, checked, onChange }: MarkProps) {
  const { t } = useTranslation('credentials')
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <Switch
        id={id}
        checked={checked}
        aria-describedby={`${id}-help`}
        onCheckedChange={(on) => onChange({ [name]: on })}
      />
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="text-sm">
          {t(`marks.${name}`)}
        </label>
        <p id={`${id}-help`} className="text-muted text-xs">
          {t(`marks.${name}_help`)}
        </p>
      </div>
    </div>
  )
}
