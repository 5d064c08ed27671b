import { CopyPlus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { IconButton } from '@/components/icon-button'
import type { ChoiceSource } from '@/components/setting/control-props'
import { SettingControl } from '@/components/setting/setting-control'
import { useValueErrorText } from '@/components/setting/value-error-text'
import { useSession } from '@/document/use-session'
import type { ComparableField } from '@/graph/comparable'
import type { FlowNode, Settings } from '@/graph/document'
import { formatValue, type SettingField } from '@/graph/setting-fields'
import { ownValueError } from '@/graph/validate'
import type { ComparisonEstimate } from '@/lib/api/comparisons'
import { modelLabel } from '@/lib/humanize'
import { formatEstimate } from '../run/estimate'
import { MissingKey } from './connect-provider'
import { letterOf } from './use-comparer'

type VariantFormProps = {
  index: number
  node: FlowNode
  fields: readonly ComparableField[]
  values: readonly unknown[]
  /** All settings of the variant. */
  settings: Settings
  /** The earlier variant that has the same settings. */
  same: number | undefined
  estimate: ComparisonEstimate['variants'][number] | undefined
  isEstimating: boolean
  /** Connects a provider without a key before one of its choices is chosen. */
  onConnect: (source: ChoiceSource, choose: () => void) => void
  /** Without it, the variant has the node's own settings. */
  onChange?: (name: string, value: unknown) => void
  onDuplicate?: () => void
  onRemove?: () => void
}

/** One variant: the settings that are compared, and what it is expected to cost. */
export function VariantForm({
  index,
  node,
  fields,
  values,
  settings,
  onConnect,
  same,
  estimate,
  isEstimating,
  ...actions
}: VariantFormProps) {
  const { t } = useTranslation('compare')
  const errorText = useValueErrorText()
  const letter = letterOf(index)
  const { onChange, onDuplicate, onRemove } = actions
  const siblings = {
    ...node.settings,
    ...Object.fromEntries(fields.map(({ name }, at) => [name, values[at]])),
  }
  return (
    <li className="flex min-w-0 flex-col rounded-m border border-hairline bg-paper/60">
      <section aria-label={t('variant', { letter })} className="flex flex-1 flex-col gap-3 p-3.5">
        <header className="flex min-h-7 items-center gap-2">
          <VariantBadge letter={letter} />
          <h3 className="min-w-0 flex-1 truncate font-semibold text-sm">
            {onChange ? t('variant', { letter }) : t('current')}
          </h3>
          {onDuplicate && (
            <IconButton
              size="sm"
              label={t('duplicate', { letter })}
              icon={<CopyPlus />}
              onClick={onDuplicate}
            />
          )}
          {onRemove && (
            <IconButton size="sm" label={t('remove', { letter })} icon={<X />} onClick={onRemove} />
          )}
        </header>
        {fields.map((field, at) =>
          onChange ? (
            <Field
              key={field.name}
              label={field.title}
              error={errorText(ownValueError(field.schema, values[at]))}
            >
              <VariantControl
                field={{ ...field, name: field.setting }}
                typeId={field.typeId}
                value={values[at]}
                siblings={siblings}
                onChange={(value) => onChange(field.name, value)}
                onConnect={onConnect}
              />
            </Field>
          ) : (
            <div key={field.name} className="min-w-0">
              <p className="font-[550] text-sm">{field.title}</p>
              <p className="wrap-anywhere mt-1.5 line-clamp-6 whitespace-pre-line text-muted text-sm">
                {valueText(field, values[at]) || t('unset')}
              </p>
            </div>
          ),
        )}
        {same !== undefined && (
          <p role="status" className="text-ochre-text text-xs">
            {t('same', { letter: letterOf(same) })}
          </p>
        )}
        {same === undefined &&
          estimate?.problems.map((problem) => (
            <div key={problem.message} className="flex flex-col items-start gap-2">
              <p
                role={problem.severity === 'error' ? 'alert' : 'status'}
                className={
                  problem.severity === 'error' ? 'text-madder-text text-xs' : 'text-ochre-text text-xs'
                }
              >
                {problem.message}
              </p>
              {problem.code === 'missing_credential' && (
                <MissingKey
                  node={{ ...node, settings }}
                  help={problem.hint ?? problem.message}
                  label={t('connectFor', { title: t('variant', { letter }) })}
                />
              )}
            </div>
          ))}
        {same === undefined &&
          estimate?.notices?.map((notice) => (
            <p key={`${notice.step} ${notice.code}`} role="status" className="text-ochre-text text-xs">
              {notice.message}
            </p>
          ))}
      </section>
      <footer className="border-hairline border-t px-3.5 py-2 font-mono text-[11.5px] text-muted tabular-nums">
        <EstimateText estimate={estimate} isEstimating={isEstimating} />
      </footer>
    </li>
  )
}

type VariantControlProps = Omit<Parameters<typeof SettingControl>[0], 'onSettle'>

function VariantControl({ ...props }: VariantControlProps) {
  const { catalog } = useSession()
  const type = catalog.type(props.typeId)
  return (
    <SettingControl
      {...props}
      variables={type?.variables.includes(props.field.name) ?? false}
      onSettle={() => undefined}
    />
  )
}

export function VariantBadge({ letter }: { letter: string }) {
  return (
    <span
      aria-hidden
      className="grid size-6 flex-none place-items-center rounded-s bg-sunken font-mono font-semibold text-xs"
    >
      {letter}
    </span>
  )
}

type EstimateTextProps = Pick<VariantFormProps, 'estimate' | 'isEstimating'>

function EstimateText({ estimate, isEstimating }: EstimateTextProps) {
  const { t } = useTranslation('compare')
  if (!estimate) return isEstimating ? t('estimating') : '–'
  if (estimate.usd === null || estimate.usd === undefined) return '–'
  const words = formatEstimate({
    usd: estimate.usd,
    seconds: estimate.seconds ?? null,
    price_unknown: estimate.price_unknown ?? false,
  })
  return Number(estimate.usd) > 0 || estimate.price_unknown
    ? words
    : [t('free'), words].filter(Boolean).join(' · ')
}

/** A setting's value as a person reads it; models without the name of their provider. */
export function valueText(field: SettingField, value: unknown): string {
  const text = formatValue(field.schema, value)
  if (!field.schema['x-ui']?.options) return text
  return text === '' ? (field.schema['x-ui'].placeholder ?? '') : modelLabel(text)
}
