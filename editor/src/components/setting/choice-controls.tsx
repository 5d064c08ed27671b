import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AgentCombobox } from '@/components/agent/agent-combobox'
import { Combobox } from '@/components/combobox'
import { Segmented } from '@/components/segmented'
import { Select } from '@/components/select'
import { withoutNull } from '@/graph/ports'
import { choiceLabelOf, choicesOf } from '@/graph/widgets'
import { optionsQuery } from '@/lib/api/nodes'
import { i18n } from '@/lib/i18n'
import { access, type ControlProps } from './control-props'

const MIN_SEARCHABLE_CHOICES = 12
const MAX_SHOWN_CHOICES = 50

function useChoice({ field, onChange, onSettle }: ControlProps) {
  const values = choicesOf(withoutNull(field.schema))
  const choices = values.map((value) => ({ value: String(value), label: choiceLabelOf(field.schema, value) }))
  const choose = (text: string) => {
    onChange(values.find((value) => String(value) === text) ?? text)
    onSettle()
  }
  return { choices, choose }
}

export function ChoiceControl(props: ControlProps) {
  const { choices, choose } = useChoice(props)
  const value = props.value === undefined || props.value === null ? undefined : String(props.value)
  const shared = { ...access(props), value, onValueChange: choose, disabled: props.disabled }
  if (choices.length > MAX_SHOWN_CHOICES) return <LongChoice {...shared} choices={choices} />
  return choices.length > MIN_SEARCHABLE_CHOICES ? (
    <Combobox {...shared} choices={choices} />
  ) : (
    <Select {...shared} choices={choices} />
  )
}

type LongChoiceProps = Omit<ComponentProps<typeof Combobox>, 'onSearch'>

/** All choices are searched, but only `MAX_SHOWN_CHOICES` are rendered. */
function LongChoice({ choices, value, ...rest }: LongChoiceProps) {
  const [search, setSearch] = useState('')
  const sought = useDeferredValue(search).trim().toLowerCase()
  const found = choices.filter((choice) => String(choice.label).toLowerCase().includes(sought))
  return <Combobox {...rest} value={value} choices={found.slice(0, MAX_SHOWN_CHOICES)} onSearch={setSearch} />
}

export function SegmentedControl(props: ControlProps) {
  const { choices, choose } = useChoice(props)
  return (
    <Segmented
      {...access(props)}
      value={props.value === undefined ? undefined : String(props.value)}
      choices={choices.map((choice) => ({ ...choice, icon: ratioIcon(choice.value) }))}
      onValueChange={choose}
      disabled={props.disabled}
      className={choices.length > 5 ? IN_COLUMNS : undefined}
    />
  )
}

/** Four columns, or as many as show `16:9` whole. */
const IN_COLUMNS = 'grid grid-cols-[repeat(auto-fill,minmax(max(4.1rem,24%),1fr))]'

const RATIO = /^(\d{1,2}):(\d{1,2})$/
const RATIO_ICON_PX = 14

/** A rectangle of the ratio that a choice such as `4:5` names. */
function ratioIcon(value: string) {
  const [, across, down] = RATIO.exec(value) ?? []
  if (!across || !down) return undefined
  const scale = RATIO_ICON_PX / Math.max(Number(across), Number(down))
  const size = { width: Number(across) * scale, height: Number(down) * scale }
  return <i aria-hidden style={size} className="flex-none rounded-[2.5px] border-[1.6px] border-current" />
}

/** Choices that only the server or a provider knows. The typed text may be the value, too. */
export function OptionsControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled, onConnect } = props
  const [search, setSearch] = useState('')
  const { t } = useTranslation('inspector')
  const [type, setting] = offering(props)
  const { data, isFetching, isError } = useQuery(optionsQuery(type, setting, useDeferredValue(search)))
  const numeric = withoutNull(field.schema).type !== 'string'
  const unit = field.schema['x-ui']?.unit
  const failed = (data?.sources ?? []).filter(({ state }) => state === 'failed')
  // The builder of an agent may allow launchers only some of the choices.
  const allowed = withoutNull(field.schema).enum
  const offered = (data?.items ?? []).filter((option) => !allowed || allowed.includes(option.value))
  const withoutKey = (data?.sources ?? []).filter(({ state }) => state === 'no_key')
  const sourceOf = (group: string | null) => withoutKey.find(({ title }) => onConnect && title === group)
  const choices = offered.map(({ value: option, label, group, detail }) => ({
    value: option,
    provider: group,
    label: unit && label === option ? `${label} ${unit}` : label,
    ...(onConnect && group
      ? providedChoice(group, detail, sourceOf(group) && t('options.connect'))
      : { detail: detail ?? group ?? undefined }),
  }))
  // What can be used at once comes first.
  if (onConnect) choices.sort((one, other) => Number('action' in one) - Number('action' in other))
  const choose = (next: string) => {
    onChange(numeric && next.trim() !== '' && !Number.isNaN(Number(next)) ? Number(next) : next)
    onSettle()
  }
  return (
    <Combobox
      {...access(props)}
      value={value === undefined || value === null ? undefined : String(value)}
      unit={unit}
      placeholder={field.schema['x-ui']?.placeholder ?? undefined}
      choices={choices}
      onSearch={setSearch}
      loading={isFetching}
      errorText={isError ? t('options.failed') : undefined}
      notes={failed.map(({ title, message }) => t('options.sourceFailed', { title, message }))}
      free={!allowed}
      disabled={disabled}
      onValueChange={(next, picked) => {
        // Several providers may offer the same model.
        const source = sourceOf(choices.find((choice) => choice === picked)?.provider ?? null)
        if (source && onConnect) onConnect(source, () => choose(next))
        else choose(next)
      }}
    />
  )
}

/** A choice with its provider below it and its price beside it; `connect` is set if the provider has no key yet. */
function providedChoice(provider: string, detail: string | null, connect: string | undefined) {
  const price = detail?.startsWith(`${provider}, `) ? detail.slice(provider.length + 2) : detail
  return {
    note: connect ? i18n.t('inspector:options.noKey', { provider }) : provider,
    ...(price && price !== provider && { detail: price }),
    ...(connect && { action: connect }),
  }
}

/** The setting whose choices apply: this one, or the one that its schema names. */
export function offering({
  field,
  typeId,
}: Pick<ControlProps, 'field' | 'typeId'>): [type: string, setting: string] {
  const named = field.schema['x-ui']?.options ?? withoutNull(field.schema)['x-ui']?.options
  if (typeof named !== 'string') return [typeId, field.name]
  const end = named.lastIndexOf('.')
  return end < 0 ? [typeId, named] : [named.slice(0, end), named.slice(end + 1)]
}

/** Selects another agent by name. */
export function FlowControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  return (
    <AgentCombobox
      {...access(props)}
      value={typeof value === 'string' ? value : undefined}
      placeholder={typeof value === 'object' && value ? t('flow.inline') : t('flow.choose')}
      disabled={disabled}
      onValueChange={(next) => {
        onChange(next)
        onSettle()
      }}
    />
  )
}
