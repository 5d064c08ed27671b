import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Combobox } from '@/components/combobox'
import { flowsQuery } from '@/lib/api/flows'
import { access, type ControlProps } from './types'

/** Another agent, chosen by name. */
export function FlowControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const { data, isPending } = useQuery(flowsQuery({ includeAll: true }))
  return (
    <Combobox
      {...access(props)}
      value={typeof value === 'string' ? value : undefined}
      placeholder={typeof value === 'object' && value ? t('flow.inline') : t('flow.choose')}
      loading={isPending}
      choices={(data ?? []).map((flow) => ({ value: flow.id, label: flow.name }))}
      disabled={disabled}
      onValueChange={(next) => {
        onChange(next)
        onSettle()
      }}
    />
  )
}
