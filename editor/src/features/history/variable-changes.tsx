import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { FlowDiff } from '@/graph/diff'
import { isEqual } from '@/graph/diff'
import type { FlowVariable } from '@/graph/document'
import { textOfValue } from '@/graph/variables'

const MAX_CHARACTERS = 60

/** Which variables were added, removed and changed, in sentences. */
export function VariableChanges({ variables }: Pick<FlowDiff, 'variables'>) {
  const { t } = useTranslation('history')
  const lines = sentences(variables, t)
  if (lines.length === 0) return null
  return (
    <div className="mt-2 text-xs">
      <h3 className="font-semibold text-muted">{t('variables')}</h3>
      <ul className="scrollbar-quiet mt-1 flex max-h-40 flex-col gap-1 overflow-y-auto">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}

function sentences({ added, removed, changed }: FlowDiff['variables'], t: TFunction<'history'>): string[] {
  const named = ({ name, value }: FlowVariable) => ({ name, value: short(value) })
  return [
    ...added.map((variable) => t('variableAdded', named(variable))),
    ...removed.map((variable) => t('variableRemoved', named(variable))),
    ...changed.map(({ before, after }) =>
      isEqual(before.value, after.value)
        ? t('variableSame', { name: after.name })
        : t('variableChanged', {
            name: after.name,
            before: short(before.value),
            after: short(after.value),
          }),
    ),
  ]
}

function short(value: unknown): string {
  const text = textOfValue(value)
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text
}
