import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Tab, TabPanel, TabRow, Tabs } from '@/components/tabs'
import type { ControlProps } from './control-props'
import { JsonControl } from './text-controls'

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
        <Tab value="json" className="pb-1.5 text-xs">
          {t('structure.json')}
        </Tab>
      </TabRow>
      <TabPanel value="form" tabIndex={-1}>
        {hasForm ? children : <p className="text-muted text-sm">{t('structure.jsonOnly')}</p>}
      </TabPanel>
      <TabPanel value="json" tabIndex={-1}>
        <JsonControl {...props} aria-label={props['aria-label'] ?? props.field.title} />
      </TabPanel>
    </Tabs>
  )
}
