import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorButton } from '@/components/field'
import { Tab, TabPanel, TabRow, Tabs } from '@/components/tabs'
import { ownValueError, valueError } from '@/graph/validate'
import { pathOfError } from '@/graph/value-path'
import { lineAt, rangeInJson } from '@/lib/json-places'
import type { ControlProps } from './control-props'
import { goToPart } from './go-to-part'
import { JsonControl, writeJson } from './text-controls'
import { useValueErrorText } from './value-error-text'

type FormOrJsonProps = ControlProps & {
  /** Whether the form can show the value; otherwise only JSON can. */
  hasForm: boolean
  children: ReactNode
}

/** A form for a structured value, with its JSON in a second tab. */
export function FormOrJson({ hasForm, children, ...props }: FormOrJsonProps) {
  const { t } = useTranslation('inspector')
  const [tab, setTab] = useState(hasForm ? 'form' : 'json')
  return (
    <Tabs value={tab} onValueChange={setTab} className="flex min-w-0 flex-col gap-2.5">
      <TabRow aria-label={t('structure.view', { title: props.field.title })}>
        <Tab value="form" className="pb-1.5 text-xs">
          {t('structure.form')}
        </Tab>
        <Tab value="json" data-json-tab className="pb-1.5 text-xs">
          {t('structure.json')}
        </Tab>
      </TabRow>
      <TabPanel value="form" tabIndex={-1}>
        {hasForm ? (
          children
        ) : (
          <p data-json-only className="text-muted text-sm">
            {t('structure.jsonOnly')}
          </p>
        )}
      </TabPanel>
      <TabPanel value="json" tabIndex={-1}>
        <JsonControl {...props} aria-label={props['aria-label'] ?? props.field.title} />
        <InnerError {...props} />
      </TabPanel>
    </Tabs>
  )
}

/** An error that the form shows at its field: here with its line, which the button selects. */
function InnerError({ field, value }: ControlProps) {
  const { t } = useTranslation('inspector')
  const errorText = useValueErrorText()
  const line = useRef<HTMLParagraphElement>(null)
  const error = ownValueError(field.schema, value) ? null : valueError(field.schema, value)
  if (!error) return null
  const path = pathOfError(error, value)
  const text = writeJson(value)
  const number = lineAt(text, rangeInJson(text, path)?.start ?? 0)
  return (
    <p ref={line} role="alert" className="mt-1.5 text-[12.5px] text-madder-text">
      <ErrorButton onClick={() => line.current?.parentElement && goToPart(line.current.parentElement, path)}>
        {t('json.atLine', { line: number, error: errorText(error) ?? '' })}
      </ErrorButton>
    </p>
  )
}
