import { X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '@/components/checkbox'
import { IconButton } from '@/components/icon-button'
import { Input } from '@/components/input'
import { Select } from '@/components/select'
import {
  BRAND_CHECKS,
  hasMatchCase,
  hasValue,
  type Join,
  RULE_KINDS,
  type Rule,
  TESTS,
  withKind,
} from '@/graph/conditions'
import { partAttributes } from './go-to-part'

type RuleRowProps = {
  rule: Rule
  number: number
  /** How the rule is joined to the one before it; null for the first. */
  join: Join | null
  disabled: boolean
  onChange: (rule: Rule) => void
  onSettle: () => void
  onRemove: () => void
}

/** One rule: what it compares, how, and with what. */
export function RuleRow({ rule, number, join, disabled, onChange, onSettle, onRemove }: RuleRowProps) {
  const { t } = useTranslation('conditions')
  const change = (next: Rule) => {
    onChange(next)
    onSettle()
  }
  return (
    <fieldset
      data-row
      {...partAttributes('rules', number - 1)}
      aria-label={t('rule', { number })}
      className="flex min-w-0 flex-col gap-1.5 border-hairline border-t pt-2 first:border-t-0 first:pt-0"
    >
      <div className="flex items-center gap-1">
        {join && <span className="w-7 flex-none text-muted text-xs">{t(`joinWords.${join}`)}</span>}
        <Select
          aria-label={t('kind')}
          value={rule.kind}
          disabled={disabled}
          className="min-w-0 flex-1"
          choices={RULE_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
          onValueChange={(kind) => change(withKind(rule, kind))}
        />
        {!disabled && (
          <IconButton size="sm" label={t('removeRule', { number })} icon={<X />} onClick={onRemove} />
        )}
      </div>
      <Select
        {...partAttributes('test')}
        aria-label={t('test')}
        value={rule.test}
        disabled={disabled}
        choices={TESTS[rule.kind].map((test) => ({ value: test as string, label: t(`tests.${test}`) }))}
        onValueChange={(test) => change({ ...rule, test })}
      />
      {rule.kind === 'brand_check' ? (
        <Select
          {...partAttributes('value')}
          aria-label={t('check')}
          value={rule.value || ALL_CHECKS}
          disabled={disabled}
          choices={BRAND_CHECKS.map((check) => ({
            value: check || ALL_CHECKS,
            label: t(`checks.${check || ALL_CHECKS}`),
          }))}
          onValueChange={(check) => change({ ...rule, value: check === ALL_CHECKS ? '' : check })}
        />
      ) : (
        <Operands rule={rule} disabled={disabled} onChange={onChange} onSettle={onSettle} />
      )}
    </fieldset>
  )
}

const ALL_CHECKS = 'all'

type OperandsProps = Pick<RuleRowProps, 'rule' | 'disabled' | 'onChange' | 'onSettle'>

/** What a rule compares with, and the part of the data that it looks at. */
function Operands({ rule, disabled, onChange, onSettle }: OperandsProps) {
  const { t } = useTranslation('conditions')
  const id = useId()
  const label = valueLabel(rule)
  const isNumber = label === 'number' || label === 'count'
  return (
    <>
      {hasValue(rule) && (
        <Input
          {...partAttributes('value')}
          aria-label={t(label)}
          placeholder={t(label)}
          value={rule.value ?? ''}
          disabled={disabled}
          inputMode={isNumber ? 'decimal' : undefined}
          spellCheck={label === 'pattern' ? false : undefined}
          className={label === 'pattern' ? 'font-mono text-[13px]' : undefined}
          onChange={(event) => onChange({ ...rule, value: event.target.value })}
          onBlur={onSettle}
        />
      )}
      <Input
        aria-label={t('field')}
        placeholder={t('field')}
        value={rule.field ?? ''}
        disabled={disabled}
        spellCheck={false}
        onChange={(event) => {
          const { field: _, ...rest } = rule
          onChange(event.target.value ? { ...rest, field: event.target.value } : rest)
        }}
        onBlur={onSettle}
      />
      {hasMatchCase(rule) && (
        <div className="flex min-h-7 items-center gap-2">
          <Checkbox
            id={`${id}-case`}
            checked={rule.match_case === true}
            disabled={disabled}
            onCheckedChange={(checked) => {
              const { match_case: _, ...rest } = rule
              onChange(checked === true ? { ...rest, match_case: true } : rest)
              onSettle()
            }}
          />
          <label htmlFor={`${id}-case`} className="text-sm">
            {t('matchCase')}
          </label>
        </div>
      )}
    </>
  )
}

function valueLabel({ kind, test }: Rule): 'value' | 'number' | 'count' | 'pattern' {
  if (kind === 'number') return 'number'
  if (test.startsWith('has ')) return 'count'
  return test.includes('match') ? 'pattern' : 'value'
}
