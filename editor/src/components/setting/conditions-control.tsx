import '@/lib/i18n/conditions'
import { ArrowDown, ArrowUp, Brackets, Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { Segmented } from '@/components/segmented'
import {
  type Case,
  type Join,
  MAX_CASES,
  newCase,
  newRule,
  type RuleGroup,
  readCases,
} from '@/graph/conditions'
import { RuleRow } from './condition-rule'
import { type ControlProps, groupAccess, useRowFocus } from './control-props'
import { FormOrJson } from './form-or-json'
import { partAttributes } from './go-to-part'
import { NameInput } from './name-input'

/** Builds the cases of a condition: their names, order and rules. */
export function ConditionsControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled = false, compact } = props
  const { t } = useTranslation('conditions')
  const cases = readCases(value)
  const listed = cases ?? []
  const { rows, focusNext } = useRowFocus(listed.length)
  if (compact) return <p className="text-muted">{listed.map(({ name }) => name).join(', ') || t('none')}</p>
  const put = (next: readonly Case[]) => onChange(next.length > 0 ? next : undefined)
  const putAtOnce = (next: readonly Case[], focus: number) => {
    focusNext(focus)
    put(next)
    onSettle()
  }
  const swap = (at: number, other: number) => {
    const [one, two] = [listed[at], listed[other]]
    if (one && two) putAtOnce(listed.with(at, two).with(other, one), other)
  }
  const add = () => {
    const added = newCase(listed, (number) => t('caseName', { number }))
    if (added) putAtOnce([...listed, added], listed.length)
  }
  return (
    <FormOrJson {...props} hasForm={cases !== null}>
      <fieldset ref={rows} {...groupAccess(props)} className="flex min-w-0 flex-col gap-2">
        {listed.length === 0 && <p className="text-muted text-sm">{t('none')}</p>}
        {listed.map((one, at) => (
          <CaseForm
            key={one.port}
            value={one}
            number={at + 1}
            taken={listed.toSpliced(at, 1).map(({ name }) => name)}
            disabled={disabled}
            onChange={(next) => put(listed.with(at, next))}
            onSettle={onSettle}
            onRemove={() => putAtOnce(listed.toSpliced(at, 1), Math.max(0, at - 1))}
            onMoveUp={at > 0 ? () => swap(at, at - 1) : undefined}
            onMoveDown={at < listed.length - 1 ? () => swap(at, at + 1) : undefined}
          />
        ))}
        {!disabled && listed.length < MAX_CASES && (
          <Button size="sm" variant="ghost" className="self-start" onClick={add}>
            <Plus aria-hidden />
            {t('addCase')}
          </Button>
        )}
        {listed.length >= MAX_CASES && <p className="text-muted text-xs">{t('maxCases')}</p>}
      </fieldset>
    </FormOrJson>
  )
}

type CaseFormProps = {
  value: Case
  number: number
  /** The names of the other cases. */
  taken: readonly string[]
  disabled: boolean
  onChange: (value: Case) => void
  onSettle: () => void
  onRemove: () => void
  onMoveUp: (() => void) | undefined
  onMoveDown: (() => void) | undefined
}

function CaseForm({ value, number, taken, disabled, onChange, onSettle, ...actions }: CaseFormProps) {
  const { t } = useTranslation('conditions')
  const { name, join = 'and', rules, groups = [] } = value
  const putGroups = (next: readonly RuleGroup[]) => onChange({ ...value, groups: next })
  const putGroupsAtOnce = (next: readonly RuleGroup[]) => {
    putGroups(next)
    onSettle()
  }
  return (
    <fieldset
      data-row
      {...partAttributes(number - 1)}
      aria-label={name === t('caseName', { number }) ? name : t('caseOf', { name })}
      className="flex min-w-0 flex-col gap-2.5 rounded-m border border-hairline bg-paper/60 p-2.5"
    >
      <div className="flex items-start gap-0.5">
        <NameInput
          name={name}
          taken={taken}
          label={t('nameOf', { number })}
          disabled={disabled}
          onRename={(next) => onChange({ ...value, name: next })}
          onSettle={onSettle}
        />
        {!disabled && (
          <>
            <IconButton
              size="sm"
              label={t('moveUp', { name })}
              icon={<ArrowUp />}
              disabled={!actions.onMoveUp}
              onClick={actions.onMoveUp}
            />
            <IconButton
              size="sm"
              label={t('moveDown', { name })}
              icon={<ArrowDown />}
              disabled={!actions.onMoveDown}
              onClick={actions.onMoveDown}
            />
            <IconButton size="sm" label={t('removeCase', { name })} icon={<X />} onClick={actions.onRemove} />
          </>
        )}
      </div>
      <RuleList
        value={{ join, rules }}
        hasJoin={rules.length + groups.length > 1}
        disabled={disabled}
        onChange={(next) => onChange({ ...value, ...next })}
        onSettle={onSettle}
        onAddGroup={() =>
          putGroupsAtOnce([...groups, { join: join === 'and' ? 'or' : 'and', rules: [newRule()] }])
        }
      >
        {groups.map((group, at) => (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity but their place
            key={at}
            {...partAttributes('groups', at)}
            aria-label={t('group', { number: at + 1 })}
            className="flex min-w-0 flex-col gap-2 rounded-s border-hairline-strong border-l-2 bg-sunken/60 p-2 pl-2.5"
          >
            <div className="flex items-center gap-1">
              <p className="flex-1 text-muted text-xs">
                {(rules.length > 0 || at > 0) && `${t(`joinWords.${join}`)} `}
                <span className="font-semibold">{t('group', { number: at + 1 })}</span>
              </p>
              {!disabled && (
                <IconButton
                  size="sm"
                  label={t('removeGroup', { number: at + 1 })}
                  icon={<X />}
                  onClick={() => putGroupsAtOnce(groups.toSpliced(at, 1))}
                />
              )}
            </div>
            <RuleList
              value={group}
              hasJoin={group.rules.length > 1}
              disabled={disabled}
              onChange={(next) => putGroups(groups.with(at, next))}
              onSettle={onSettle}
            />
          </fieldset>
        ))}
      </RuleList>
    </fieldset>
  )
}

type RuleListProps = {
  value: RuleGroup
  /** Whether there is more than one rule or group to join. */
  hasJoin: boolean
  disabled: boolean
  onChange: (value: RuleGroup) => void
  onSettle: () => void
  onAddGroup?: () => void
  /** The groups, which follow the rules. */
  children?: React.ReactNode
}

/** Rules, and how they are joined. */
function RuleList({ value, hasJoin, disabled, onChange, onSettle, onAddGroup, children }: RuleListProps) {
  const { t } = useTranslation('conditions')
  const { join, rules } = value
  const { rows, focusNext } = useRowFocus(rules.length)
  const putAtOnce = (next: RuleGroup, focus: number) => {
    focusNext(focus)
    onChange(next)
    onSettle()
  }
  return (
    <fieldset ref={rows} className="flex min-w-0 flex-col gap-2">
      {hasJoin && (
        <Segmented<Join>
          aria-label={t('join')}
          value={join}
          disabled={disabled}
          choices={(['and', 'or'] as const).map((one) => ({ value: one, label: t(`joins.${one}`) }))}
          onValueChange={(next) => {
            onChange({ ...value, join: next })
            onSettle()
          }}
        />
      )}
      {rules.map((rule, at) => (
        <RuleRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their place
          key={at}
          rule={rule}
          number={at + 1}
          join={at > 0 ? join : null}
          disabled={disabled}
          onChange={(next) => onChange({ ...value, rules: rules.with(at, next) })}
          onSettle={onSettle}
          onRemove={() => putAtOnce({ ...value, rules: rules.toSpliced(at, 1) }, Math.max(0, at - 1))}
        />
      ))}
      {children}
      {!disabled && (
        <div className="flex flex-wrap gap-1">
          <Button
            size="sm"
            variant="ghost"
            onClick={() => putAtOnce({ ...value, rules: [...rules, newRule()] }, rules.length)}
          >
            <Plus aria-hidden />
            {t('addRule')}
          </Button>
          {onAddGroup && (
            <Button size="sm" variant="ghost" title={t('groupHelp')} onClick={onAddGroup}>
              <Brackets aria-hidden />
              {t('addGroup')}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}
